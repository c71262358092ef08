import type { Estimate } from "../../../core/estimate.js";
import { proportion, weightedProportion } from "../../../stats/intervals/proportion.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { aurocOfSorted } from "../../../stats/ranks/auroc.js";
import { quantile } from "../../../stats/ranks/sorted-order.js";
import {
  type BinSums,
  equalWeightEdges,
  PAPER_BINS,
  type SortedScores,
  sortScores,
  unsplitEdges,
} from "./calibration-error.js";
import {
  type CalibrationErrors,
  calibrationErrors,
  type SpiegelhalterTest,
  spiegelhalterTest,
} from "./calibration-errors.js";
import { type EvaluationIntervals, evaluationIntervals } from "./evaluation-intervals.js";
import { scoreCells } from "./score-cells.js";
import { type BrierScore, baseRateEntropy, brierScore, logLoss, weightedArea } from "./weighted-auroc.js";

export interface EvaluationOptions {
  seed: number;
  /** Simulated outcomes for the null values and the band; default 200. With 0 these are null. */
  draws?: number;
  /** Default 10, as in the paper. */
  bins?: number;
  /** Cluster (community) of each row, numbered from 0; adds intervals over clusters. Default none. */
  clusters?: Int32Array;
  /** Weight of each row, for labels drawn with unequal probabilities. With weights there are no intervals over clusters. */
  weights?: Float64Array | undefined;
}

export interface ScoreEvaluation {
  /** Rows with a score and a target. */
  n: number;
  n_defensible: number;
  n_indefensible: number;
  left_out: { no_score: number; no_target: number };
  ece: CalibrationErrors;
  brier: BrierScore;
  log_loss: { value: number | null; clipped: number; base_rate: number | null };
  auroc: Estimate;
  spiegelhalter: SpiegelhalterTest;
  reliability: ReliabilityBin[];
  mean_score: { all: number | null; defensible: number | null; indefensible: number | null };
  /** Distinct scores. If there are few, bins are uneven and the paper's ECE depends on the order of rows. */
  distinct_scores: number;
  /** Intervals over communities; null unless clusters were given. */
  intervals: EvaluationIntervals | null;
  seed: number;
  draws: number;
  bins: number;
  warnings: string[];
}

export const NULL_DRAWS = 200;

/** How well a score works as a probability of 0/1 outcomes: all measures from a single sort. */
export function evaluateScore(score: Float64Array, y: Uint8Array, options: EvaluationOptions): ScoreEvaluation {
  const { seed, draws = NULL_DRAWS, bins = PAPER_BINS, clusters, weights = null } = options;
  checkOptions(draws, bins);
  checkColumns(score, y);
  const sorted = sortScores(score, y, weights);
  const { n, scores, targets, positives } = sorted;
  const cells = scoreCells(sorted, bins);
  const rng = createRng(seed);
  const { errors, bins: table, nullRates } = calibrationErrors(sorted, cells, { rng: rng.fork("null"), draws });
  const edges = unsplitEdges(scores, equalWeightEdges(n, bins, sorted.weights));
  const distinct = distinctScores(scores);
  const clustered = clusters && !weights ? evaluationIntervals(sorted, clusters, bins) : null;
  const auroc =
    clustered?.auroc ??
    (sorted.weights ? weightedArea(scores, targets, sorted.weights) : aurocOfSorted(scores, targets));
  return {
    n,
    n_defensible: positives,
    n_indefensible: n - positives,
    left_out: sorted.leftOut,
    ece: errors,
    brier: brierScore(scores, targets, edges, sorted.weights),
    log_loss: { ...logLoss(scores, targets, sorted.weights), base_rate: baseRate(sorted) },
    auroc,
    spiegelhalter: spiegelhalterTest(scores, targets, sorted.weights),
    reliability: reliabilityTable(scores, edges, table, nullRates, draws, sorted.weights),
    mean_score: meanScores(sorted),
    distinct_scores: distinct,
    intervals: clustered?.intervals ?? null,
    seed,
    draws,
    bins,
    warnings: [
      ...warningsOf(n, positives, cells.splitRuns.length, bins),
      ...(clustered?.warnings ?? []),
      ...(auroc.estimate === null ? [] : (auroc.warnings ?? [])).map((warning) => `AUROC: ${warning}`),
    ],
  };
}

/** NaN marks a row without a score. A null, which a typed array cannot hold, would count as 0. */
function checkColumns(score: ArrayLike<number>, y: ArrayLike<number>): void {
  if (score.length !== y.length) {
    throw new RangeError(`columns: of different length; got ${score.length} scores and ${y.length} outcomes`);
  }
  if (score instanceof Float64Array) return;
  for (let i = 0; i < score.length; i += 1) {
    const value: unknown = score[i];
    if (typeof value !== "number") {
      throw new RangeError(`score: row ${i} is not a number; got ${String(value)}, expected a number, or NaN for none`);
    }
  }
}

function checkOptions(draws: number, bins: number): void {
  if (!(Number.isSafeInteger(draws) && draws >= 0)) throw new RangeError(`draws: not a count; got ${draws}`);
  if (!(Number.isSafeInteger(bins) && bins >= 1)) throw new RangeError(`bins: not a count from 1 on; got ${bins}`);
}

function distinctScores(sorted: Float64Array): number {
  let distinct = sorted.length > 0 ? 1 : 0;
  for (let i = 1; i < sorted.length; i += 1) if (sorted[i] !== sorted[i - 1]) distinct += 1;
  return distinct;
}

function baseRate({ n, targets, weights, positives }: SortedScores): number | null {
  if (!weights) return baseRateEntropy(positives, n);
  const rate = weights.reduce((sum, w, i) => sum + w * targets[i]!, 0) / weights.reduce((sum, w) => sum + w, 0);
  if (n === 0) return null;
  return -[rate, 1 - rate].reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
}

function meanScores({ scores, targets, weights }: SortedScores) {
  let [all, rows, defensible, positives] = [0, 0, 0, 0];
  for (let i = 0; i < scores.length; i += 1) {
    const w = weights ? weights[i]! : 1;
    all += w * scores[i]!;
    rows += w;
    defensible += w * scores[i]! * targets[i]!;
    positives += w * targets[i]!;
  }
  const mean = (sum: number, of: number) => (of <= 1e-9 ? null : sum / of);
  return {
    all: mean(all, rows),
    defensible: mean(defensible, positives),
    indefensible: mean(all - defensible, rows - positives),
  };
}

function warningsOf(n: number, positives: number, splitRuns: number, bins: number): string[] {
  const warnings: string[] = [];
  if (n === 0) return ["no rows"];
  if (positives === 0 || positives === n) {
    const kind = positives === 0 ? "indefensible" : "defensible";
    warnings.push(`one class: all ${n} rows are ${kind}, so the errors say only how far the scores are from that`);
  }
  if (n < 10 * bins) warnings.push(`few rows: ${n} in ${bins} bins; compare every error with its null value`);
  if (splitRuns > 0) {
    warnings.push(
      "equal scores reach across bins: the paper's ECE depends on the order of rows, tie_averaged does not",
    );
  }
  return warnings;
}

/** One line of a reliability diagram. */
export interface ReliabilityBin {
  /** Smallest and largest score of the bin. */
  from: number;
  to: number;
  n: number;
  mean_score: number;
  /** Share of defensible rows with Wilson's interval. */
  rate: Estimate;
  /** Range of 95% of the rates that a perfectly calibrated score would have; null without draws. */
  band: { lower: number; upper: number } | null;
  /** Whether the rate is outside the band. */
  outside: boolean | null;
}

/**
 * Reliability table: rate of defensible rows against mean score, in bins of equally many rows that split no equal scores. If the scores are true
 * probabilities, the band contains each bin's rate 95 times in 100; the interval is for the rate itself.
 */
function reliabilityTable(
  sorted: Float64Array,
  edges: ArrayLike<number>,
  bins: BinSums,
  nullRates: Float64Array,
  draws: number,
  weights: Float64Array | null = null,
): ReliabilityBin[] {
  return Array.from({ length: bins.n.length }, (_, b) => {
    const n = bins.n[b]!;
    const k = bins.positives[b]!;
    const rates = nullRates.slice(b * draws, (b + 1) * draws).sort();
    const band = draws > 0 ? { lower: quantile(rates, 0.025), upper: quantile(rates, 0.975) } : null;
    return {
      from: sorted[edges[b]!]!,
      to: sorted[edges[b + 1]! - 1]!,
      n: weights ? edges[b + 1]! - edges[b]! : n,
      mean_score: bins.scores[b]! / n,
      rate: weights ? weightedRate(k / n, weights.subarray(edges[b]!, edges[b + 1]!)) : proportion(k, n),
      band,
      outside: band && (k / n < band.lower || k / n > band.upper),
    };
  });
}

function weightedRate(rate: number, weights: Float64Array): Estimate {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight ** 2, 0);
  return weightedProportion(rate, sum ** 2 / squares, weights.length);
}
