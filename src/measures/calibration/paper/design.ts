import type { Weights } from "../../signals/weights.js";
import type { ScoreColumns } from "../score-columns.js";
import { fitSimplex } from "./fit-simplex.js";
import { paperLoss } from "./loss.js";

/** The contribution of one part of S. */
export interface Contribution {
  part: "label_confidence" | "entropy" | "inverse_check";
  weight: number;
  /** Mean and standard deviation of the part over the rows: nats for −λ, bits for H, a probability for σ(ρ). */
  mean: number;
  sd: number;
  /** How much the part moves ln S from row to row. */
  weight_times_sd: number;
  /** Loss of the best weights without the part, and how much worse that is. */
  loss_without: number;
  loss_increase_without: number;
  /** Loss of these weights when the part is set to its mean in every row: what its variation is worth. */
  loss_at_mean: number;
  loss_increase_at_mean: number;
}

const PARTS = ["label_confidence", "entropy", "inverse_check"] as const;

/**
 * What each part of S contributes. The weights alone mislead: they must sum to 1, so a part that is nearly 0 in every row absorbs any weight that
 * the others do not need.
 *
 * Formula: for part j: w_j sd(x_j); min over w with w_j = 0 of L(w), minus L(w*); L(w*) with x_j replaced by its mean, minus L(w*).
 * Range: w_j sd(x_j) ≥ 0. The increase without the part is ≥ 0 at the optimum; the increase at the mean may be negative if the part points the
 * wrong way.
 * Undefined when: no rows (RangeError).
 * Differs from the paper: the paper reads the weights themselves as importance.
 * @see paper §4.3, Table "Calibrated PDS weights"
 * @example
 * paperContributions({ n: 1, ones: 1, sumOfOnes: [0.1, 0.3, 0.2], zeros: [], mean: [0.1, 0.3, 0.2], sd: [0, 0, 0] }, [1, 0, 0], 0.1) // => [{ loss_without: 0.200001 }, { loss_without: 0.100001 }, { loss_without: 0.100001 }]
 */
export function paperContributions(design: PaperDesign, weights: ArrayLike<number>, loss: number): Contribution[] {
  return PARTS.map((part, j) => {
    const others = [0, 1, 2].filter((other) => other !== j);
    const without = fitSimplex(design, others).loss;
    const flat = paperLoss(withMean(design, j), weights);
    return {
      part,
      weight: weights[j]!,
      mean: design.mean[j]!,
      sd: design.sd[j]!,
      weight_times_sd: weights[j]! * design.sd[j]!,
      loss_without: without,
      loss_increase_without: without - loss,
      loss_at_mean: flat,
      loss_increase_at_mean: flat - loss,
    };
  });
}

function withMean(design: PaperDesign, part: number): PaperDesign {
  const zeros = design.zeros.slice();
  const mean = design.mean[part]!;
  for (let i = part; i < zeros.length; i += 3) zeros[i] = mean;
  const sumOfOnes = design.sumOfOnes.slice();
  sumOfOnes[part] = design.ones * mean;
  return { ...design, zeros, sumOfOnes };
}

/** S of every row under given weights, NaN where a part is absent: `probabilisticDefensibilitySignal` for columns. */
export function paperScores(
  columns: ScoreColumns,
  weights: Pick<Weights, "alpha" | "beta" | "gamma" | "component">,
): Float64Array {
  const { alpha, beta, gamma, component } = weights;
  const entropy = entropyColumn(columns, component);
  const { n, lambdaNats, inverseYesProb } = columns;
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    // Rounding may put a confidence slightly above 1; it must not make a score above 1.
    const lambda = lambdaNats[i]! > 0 ? 0 : lambdaNats[i]!;
    scores[i] = Math.exp(alpha * lambda - beta * entropy[i]! - gamma * inverseYesProb[i]!);
  }
  return scores;
}

/** 1 for level 1 or 2, 0 for level 3, 255 where there is no target. */
export function defensibleTargets(levels: Uint8Array): Uint8Array {
  const targets = new Uint8Array(levels.length);
  for (let i = 0; i < levels.length; i += 1) targets[i] = levels[i] === 0 ? 255 : levels[i] === 3 ? 0 : 1;
  return targets;
}

/** The entropy that S uses. */
export type EntropyComponent = "h_w" | "h_kappa";

/** What the score should predict: the level that the auditor wrote itself (as in the paper), or a label from another source. */
export type FitTarget = "emitted" | "target";

/** Rows that a fit could not use, each counted under the first reason that applies. */
export interface LeftOut {
  total: number;
  no_target: number;
  no_label_confidence: number;
  no_entropy: number;
  no_inverse_check: number;
}

/**
 * What the paper's loss needs from the rows. It is linear in the weights for a defensible row, so those rows enter only by their sum; only the
 * indefensible rows are kept, so every pass of a fit runs over these few.
 */
export interface PaperDesign extends PaperRows {
  /** Number of rows, and of rows with y = 1, unweighted. */
  counts: { n: number; ones: number };
  /** (Σw)²/Σw²: number of equally weighted rows with the same information. */
  effective: number;
  /** Mean and standard deviation (dividing by n) of each part over all rows. */
  mean: Float64Array;
  sd: Float64Array;
  left_out: LeftOut;
}

/** Sums over the rows; with weights, weighted sums. */
export interface PaperRows {
  /** Rows, or their total weight. */
  n: number;
  /** Rows with y = 1, or their total weight. */
  ones: number;
  /** Σ x over the rows with y = 1; x = (−λ, H, σ(ρ)). */
  sumOfOnes: Float64Array;
  /** x of the rows with y = 0, three numbers per row. */
  zeros: Float64Array;
  /** Weight of each of these rows; absent: 1 each. */
  zeroWeights?: Float64Array | undefined;
}

export function entropyColumn(columns: ScoreColumns, component: EntropyComponent): Float64Array {
  return component === "h_w" ? columns.weightBits : columns.citationBits;
}

/** The level each row is compared with; 0 where absent. */
export function targetLevels(columns: ScoreColumns, target: FitTarget): Uint8Array {
  if (target === "emitted") return columns.level;
  return columns.targetLevel ?? new Uint8Array(columns.n);
}

/** What the loss needs from the rows. Rows with a target are weighted by `targetWeight` if it exists. */
export function paperDesign(
  columns: ScoreColumns,
  component: EntropyComponent,
  target: FitTarget = "emitted",
): PaperDesign {
  const { n: rows, lambdaNats, inverseYesProb } = columns;
  const entropy = entropyColumn(columns, component);
  const levels = targetLevels(columns, target);
  const weights = target === "target" ? columns.targetWeight : undefined;
  const left_out = { total: 0, no_target: 0, no_label_confidence: 0, no_entropy: 0, no_inverse_check: 0 };
  let zeroRows = 0;
  for (let i = 0; i < rows; i += 1) if (levels[i] === 3) zeroRows += 1;
  const zeros = new Float64Array(3 * zeroRows);
  const zeroWeights = new Float64Array(weights ? zeroRows : 0);
  const sum = new Float64Array(3);
  const squares = new Float64Array(3);
  const sumOfZeros = new Float64Array(3);
  // Squares are taken around the first usable row: with nearly equal values, Σx² would lose their variation to rounding.
  const origin = new Float64Array(3);
  let n = 0;
  let total = 0;
  let totalOfZeros = 0;
  let squaredWeights = 0;
  let at = 0;
  for (let i = 0; i < rows; i += 1) {
    const level = levels[i]!;
    // Rounding may put a confidence slightly above 1, which would give −λ < 0, outside the domain of the loss.
    const a = Math.max(0, -lambdaNats[i]!);
    const b = entropy[i]!;
    const c = inverseYesProb[i]!;
    if (level === 0) left_out.no_target += 1;
    else if (Number.isNaN(a)) left_out.no_label_confidence += 1;
    else if (Number.isNaN(b)) left_out.no_entropy += 1;
    else if (Number.isNaN(c)) left_out.no_inverse_check += 1;
    else {
      if (n === 0) origin.set([a, b, c]);
      const w = weights ? weights[i]! : 1;
      n += 1;
      total += w;
      squaredWeights += w * w;
      const da = a - origin[0]!;
      const db = b - origin[1]!;
      const dc = c - origin[2]!;
      sum[0]! += w * da;
      sum[1]! += w * db;
      sum[2]! += w * dc;
      squares[0]! += w * da * da;
      squares[1]! += w * db * db;
      squares[2]! += w * dc * dc;
      if (level === 3) {
        zeros[at] = a;
        zeros[at + 1] = b;
        zeros[at + 2] = c;
        if (weights) zeroWeights[at / 3] = w;
        at += 3;
        totalOfZeros += w;
        sumOfZeros[0]! += w * da;
        sumOfZeros[1]! += w * db;
        sumOfZeros[2]! += w * dc;
      }
    }
  }
  left_out.total = rows - n;
  const ones = total - totalOfZeros;
  return {
    n: total,
    ones,
    sumOfOnes: sum.map((all, j) => all - sumOfZeros[j]! + ones * origin[j]!),
    zeros: zeros.subarray(0, at),
    zeroWeights: weights && zeroWeights.subarray(0, at / 3),
    counts: { n, ones: n - at / 3 },
    effective: n === 0 ? 0 : total ** 2 / squaredWeights,
    mean: sum.map((all, j) => (n === 0 ? 0 : origin[j]! + all / total)),
    sd: squares.map((all, j) => (n === 0 ? 0 : Math.sqrt(Math.max(0, all / total - (sum[j]! / total) ** 2)))),
    left_out,
  };
}
