import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { jackknifeEstimate, leaveEachOut } from "../../stats/intervals/cluster-jackknife.js";
import { clusteredSpearman } from "../../stats/ranks/clustered-spearman.js";
import type { RankCorrelation } from "../../stats/ranks/spearman.js";
import { FEW_CLUSTERS } from "../metrics/indices.js";
import { evaluateScore, NULL_DRAWS, type ScoreEvaluation } from "./errors/evaluate-score.js";
import { logLosses } from "./errors/score-cells.js";
import { weightedAuroc } from "./errors/weighted-auroc.js";

/** Calibrated P(defensible) of one auditor for each decision; NaN where it has none. */
export interface ComparedScore {
  name: string;
  score: Float64Array;
}

export interface SharedLabels {
  /** 1: defensible. */
  y: Uint8Array;
  community: Int32Array;
}

export interface CompareOptions {
  seed: number;
  /** Simulated outcomes behind the null values, default 200. */
  draws?: number;
  /** Both auditors use the same base model, so their agreement is not a second opinion. */
  sameBackbone: boolean;
}

export interface CalibrationComparison {
  n: number;
  communities: number;
  /** Rows that `a` could not score, `b` could not, and neither could. */
  skipped: { a: number; b: number; both: number };
  same_backbone: boolean;
  a: { name: string; evaluation: ScoreEvaluation };
  b: { name: string; evaluation: ScoreEvaluation };
  /** b − a on the same rows, as in all comparisons of runs. For losses, below 0 means that b is better; for AUROC, above 0. */
  difference: { log_loss: Estimate; brier: Estimate; auroc: Estimate };
  /** Whether the two scores rank decisions alike. */
  agreement: RankCorrelation;
  seed: number;
  draws: number;
  warnings: string[];
}

/**
 * Compares two calibrated auditors on the labelled decisions that both have scored.
 *
 * Formula: each difference is that of the two means (or the two AUROCs) over the same rows; its interval comes from leaving out one community at a
 * time (`clusterJackknife`).
 * Range: differences of log-loss in nats; see `difference`.
 * Undefined when: there are no shared rows, or, for AUROC, only one class. If there is no interval over communities, both ends equal the difference
 * and a warning gives the reason.
 * Differs from the paper: the paper prints two auditors' tables next to each other, without shared rows or intervals.
 * @see paper Proposition A.1; docs/calibration.md
 */
export function compareCalibrations(
  a: ComparedScore,
  b: ComparedScore,
  labels: SharedLabels,
  { seed, draws = NULL_DRAWS, sameBackbone }: CompareOptions,
): CalibrationComparison {
  const skipped = { a: 0, b: 0, both: 0 };
  const kept: number[] = [];
  for (let i = 0; i < labels.y.length; i += 1) {
    const [noA, noB] = [Number.isNaN(a.score[i]!), Number.isNaN(b.score[i]!)];
    if (noA && noB) skipped.both += 1;
    else if (noA) skipped.a += 1;
    else if (noB) skipped.b += 1;
    else kept.push(i);
  }
  const scoreA = Float64Array.from(kept, (i) => a.score[i]!);
  const scoreB = Float64Array.from(kept, (i) => b.score[i]!);
  const y = Uint8Array.from(kept, (i) => labels.y[i]!);
  const { cluster, clusters } = renumber(kept.map((i) => labels.community[i]!));
  const sizes = new Float64Array(clusters);
  for (const c of cluster) sizes[c]! += 1;
  const evaluated = (score: Float64Array) => evaluateScore(score, y, { seed, draws, clusters: cluster });
  const n = y.length;
  const difference = (
    statistic: (weights: Float64Array) => number | null,
    bounds: readonly [number, number] = [-1, 1],
  ): Estimate => {
    const estimate = n === 0 ? null : statistic(new Float64Array(clusters).fill(1));
    if (estimate === null) return undefinedEstimate(n === 0 ? "no shared rows" : "one class", n);
    return jackknifeEstimate(estimate, leaveEachOut(clusters, statistic), sizes, n, bounds);
  };
  const mean = (loss: (score: Float64Array) => Float64Array, bounds?: readonly [number, number]): Estimate => {
    const [lossA, lossB] = [loss(scoreA), loss(scoreB)];
    const sums = new Float64Array(clusters);
    for (let r = 0; r < y.length; r += 1) sums[cluster[r]!]! += lossB[r]! - lossA[r]!;
    return difference((weights) => dot(weights, sums) / dot(weights, sizes), bounds);
  };
  const [rankA, rankB] = [weightedAuroc(scoreA, y, cluster), weightedAuroc(scoreB, y, cluster)];
  return {
    n: y.length,
    communities: clusters,
    skipped,
    same_backbone: sameBackbone,
    a: { name: a.name, evaluation: evaluated(scoreA) },
    b: { name: b.name, evaluation: evaluated(scoreB) },
    difference: {
      log_loss: mean((score) => logLosses(score, y), [-Infinity, Infinity]),
      brier: mean((score) => score.map((s, r) => (s - y[r]!) ** 2)),
      auroc: difference((weights) => {
        const [ofA, ofB] = [rankA(weights), rankB(weights)];
        return ofA === null || ofB === null ? null : ofB - ofA;
      }),
    },
    agreement: clusteredSpearman(scoreA, scoreB, cluster, clusters),
    seed,
    draws,
    warnings: [
      ...(sameBackbone ? ["both auditors rest on the same base model: their agreement is no second opinion"] : []),
      ...(clusters > 1 && clusters < FEW_CLUSTERS
        ? [`with ${clusters} communities the intervals say little about others like them`]
        : []),
    ],
  };
}

function renumber(community: readonly number[]): { cluster: Int32Array; clusters: number } {
  const numbers = new Map<number, number>();
  const cluster = Int32Array.from(community, (c) => {
    if (!numbers.has(c)) numbers.set(c, numbers.size);
    return numbers.get(c)!;
  });
  return { cluster, clusters: numbers.size };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}
