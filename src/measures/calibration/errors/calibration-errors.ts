import { normalCdf } from "../../../stats/distributions/normal.js";
import { type FastUniform, fastUniform, type Rng } from "../../../stats/random/create-rng.js";
import { drawBinomial } from "../../../stats/random/draw-normal.js";
import { quantile } from "../../../stats/ranks/sorted-order.js";
import { type BinSums, calibrationError, debiasedError, type SortedScores } from "./calibration-error.js";
import { binSums, cellPositives, GRID, type ScoreCells, shareTies } from "./score-cells.js";
import { smoothErrorSolver } from "./smooth-error.js";

/** Every calibration error of a score, each with the value that a perfectly calibrated score would show. */
export interface CalibrationErrors {
  /** The paper's: bins of N/10 rows. Depends on the order of equal scores. */
  equal_frequency: AgainstNull;
  /** The same with y averaged over equal scores. */
  tie_averaged: AgainstNull;
  equal_width: AgainstNull;
  /** Root mean square without the part due to chance; bins of N/10 rows that split no equal scores. */
  debiased_rms: AgainstNull;
  smooth: AgainstNull;
}

const NAMES = ["equal_frequency", "tie_averaged", "equal_width", "debiased_rms", "smooth"] as const;

/** Relative error of a simulated smooth error: far below the variation between draws. */
const DRAW_TOLERANCE = 1e-4;

export interface SimulatedErrors {
  errors: CalibrationErrors;
  /** Sums of the bins that split no equal scores, for the reliability table. */
  bins: BinSums;
  /** Rate of each of these bins in each draw: bin after bin. */
  nullRates: Float64Array;
}

/** Computes all errors together. They share the draws, so 200 draws cost as much as a few passes over the rows. */
export function calibrationErrors(
  sorted: SortedScores,
  cells: ScoreCells,
  options: { rng: Rng; draws: number },
): SimulatedErrors {
  const { rng, draws } = options;
  const solve = smoothErrorSolver();
  const positives = cellPositives(cells, sorted.targets, sorted.weights);
  const bins = binSums(cells, positives, cells.unsplit);
  const values = measure(positives, (sums) => solve(sums));

  const solveDraw = smoothErrorSolver(gridOfDraws(cells));
  const uniform = fastUniform(rng);
  const drawn = new Float64Array(positives.length);
  const simulated = NAMES.map(() => new Float64Array(draws));
  const nullRates = new Float64Array(bins.n.length * draws);
  let guess: number | undefined;
  for (let draw = 0; draw < draws && sorted.n > 0; draw += 1) {
    drawOutcomes(cells, sorted.scores, uniform, drawn, sorted.weights);
    const found = measure(drawn, (sums) => solveDraw(sums, { tolerance: DRAW_TOLERANCE, ...(guess && { guess }) }));
    guess = found.smooth ?? guess;
    for (const [i, name] of NAMES.entries()) simulated[i]![draw] = found[name] ?? Number.NaN;
    const { n, positives: counts } = binSums(cells, drawn, cells.unsplit);
    for (let b = 0; b < n.length; b += 1) nullRates[b * draws + draw] = counts[b]! / n[b]!;
  }
  const reason = sorted.n === 0 ? "no rows" : sorted.weights ? "not defined for weighted rows" : "a bin of one row";
  const against = NAMES.map((name, i) => [name, againstNull(values[name], simulated[i]!, reason)]);
  return { errors: Object.fromEntries(against) as CalibrationErrors, bins, nullRates };

  function measure(counts: Float64Array, smooth: (sums: BinSums) => number | null) {
    return {
      equal_frequency: calibrationError(binSums(cells, counts, cells.equalFrequency)),
      tie_averaged: calibrationError(binSums(cells, shareTies(cells, counts), cells.equalFrequency)),
      equal_width: calibrationError(binSums(cells, counts, cells.equalWidth)),
      // With weights, the part due to chance depends on how they vary within a bin.
      debiased_rms: sorted.weights ? null : debiasedError(binSums(cells, counts, cells.unsplit)),
      smooth: smooth({ n: cells.n, scores: cells.scores, positives: counts }),
    };
  }
}

/**
 * Grid points for the smooth error of simulated outcomes: about 24 per σ. Noise of variance v = mean s(1 − s) leaves smECE_σ ≈ 0.4 √(v/nσ), so its
 * root is near (0.16 v/n)^⅓.
 */
function gridOfDraws({ n, scores }: ScoreCells): number {
  let rows = 0;
  let variance = 0;
  for (let c = 0; c < n.length; c += 1) {
    rows += n[c]!;
    variance += scores[c]! * Math.max(0, 1 - scores[c]! / n[c]!);
  }
  const sigma = Math.cbrt((0.16 * variance) / (rows * rows));
  return sigma > 0 ? Math.min(GRID, Math.max(256, 2 ** Math.ceil(Math.log2(24 / sigma)))) : 256;
}

/** Cells with at most this many rows are drawn row by row. */
const FEW = 12;

/**
 * Number of rows of each cell that would be defensible if the scores were true probabilities: one draw of y ~ Bernoulli(score).
 *
 * Formula: a cell's count is Σ Bernoulli(s_i). A cell of more than 12 rows draws Binomial(n, s̄) instead: the same mean, and a variance too large
 * by Σ(s_i − s̄)², which cells of width w = 1/2048 keep below a share w of it (the distributions differ by at most w²/(4 s̄(1 − s̄)) in total
 * variation). With this, 200 draws of a million rows take milliseconds. Rows with weights are drawn one by one.
 * Range: 0 … n of each cell.
 * Undefined when: never; no cells, no counts.
 * Differs from the paper: not in the paper.
 * @see Ehm (1991), Statistics & Probability Letters 11:7-16 (the bound)
 */
export function drawOutcomes(
  cells: Pick<ScoreCells, "starts" | "n" | "scores">,
  sorted: Float64Array,
  uniform: FastUniform,
  out: Float64Array,
  weights: Float64Array | null = null,
): void {
  const { starts, n, scores } = cells;
  for (let c = 0; c < n.length; c += 1) {
    const rows = n[c]!;
    if (rows > FEW && !weights) {
      // A sum of scores may exceed the number of rows by rounding.
      out[c] = drawBinomial(rows, Math.min(1, scores[c]! / rows), uniform);
      continue;
    }
    let count = 0;
    for (let i = starts[c]!; i < starts[c + 1]!; i += 1)
      if (uniform() < sorted[i]! * 2 ** 32) count += weights ? weights[i]! : 1;
    out[c] = count;
  }
}

/** A measure, and what a perfectly calibrated score would show with the same n and scores. */
export interface AgainstNull {
  value: number | null;
  /** Why there is no value. */
  reason?: string;
  /** Mean and 95% quantile over draws of y ~ Bernoulli(score). */
  null_mean: number | null;
  null_95: number | null;
  /** Share of draws at least as large, counting the data as one of them: a p-value of perfect calibration. */
  p: number | null;
}

/** The rank of a value among the draws. Draws in which the measure is undefined (NaN) are ignored. */
export function againstNull(value: number | null, draws: Float64Array, reason = "no rows"): AgainstNull {
  if (value === null) return { value, reason, null_mean: null, null_95: null, p: null };
  const sorted = draws.filter((draw) => !Number.isNaN(draw)).sort();
  if (sorted.length === 0) return { value, null_mean: null, null_95: null, p: null };
  let sum = 0;
  let asLarge = 1;
  for (const draw of sorted) {
    sum += draw;
    // Slack for values that differ only by rounding.
    if (draw >= value * (1 - 1e-12)) asLarge += 1;
  }
  return {
    value,
    null_mean: sum / sorted.length,
    null_95: quantile(sorted, 0.95),
    p: asLarge / (sorted.length + 1),
  };
}

export interface SpiegelhalterTest {
  /** Positive: outcomes are less extreme than the scores claim (overconfident); negative: they are more extreme. */
  z: number | null;
  /** Two-sided. */
  p: number | null;
  reason?: string;
}

/**
 * Spiegelhalter's test of calibration: whether outcomes drawn from these scores could have this Brier score.
 *
 * Formula: z = Σ(y − s)(1 − 2s) / √Σ(1 − 2s)² s(1 − s), N(0, 1) under y ~ Bernoulli(s). With weights each row adds w times as much to the sum and
 * w² to the variance.
 * Range: real; |z| > 1.96 speaks against calibration at the 5% level. With many rows any small error is significant: see the calibration error for
 * its size. Blind to errors that leave the Brier score as expected.
 * Undefined when: every score is 0, ½ or 1, for which the statistic has no variance: null with a reason.
 * Differs from the paper: not in the paper.
 * @see Spiegelhalter (1986), Statistics in Medicine 5:421-433
 * @example
 * spiegelhalterTest([0.2, 0.7], [1, 0]).z // => 2.516611478
 */
export function spiegelhalterTest(
  scores: ArrayLike<number>,
  targets: ArrayLike<number>,
  weights: ArrayLike<number> | null = null,
): SpiegelhalterTest {
  let sum = 0;
  let variance = 0;
  for (let i = 0; i < scores.length; i += 1) {
    const score = scores[i]!;
    const slope = (weights ? weights[i]! : 1) * (1 - 2 * score);
    sum += (targets[i]! - score) * slope;
    variance += slope * slope * score * (1 - score);
  }
  if (variance === 0) {
    return { z: null, p: null, reason: scores.length === 0 ? "no rows" : "every score is 0, ½ or 1" };
  }
  const z = sum / Math.sqrt(variance);
  return { z, p: 2 * normalCdf(-Math.abs(z)) };
}
