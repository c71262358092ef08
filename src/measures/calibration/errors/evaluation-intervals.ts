import type { ClusterInterval, Estimate } from "../../../core/estimate.js";
import { clusterJackknife, leaveEachOut } from "../../../stats/intervals/cluster-jackknife.js";
import { hasWidth } from "../../../stats/intervals/proportion.js";
import { clusteredAuroc } from "../../../stats/ranks/clustered-auroc.js";
import { equalFrequencyEdges, type SortedScores } from "./calibration-error.js";

/** Intervals that leave out one community at a time. Null with fewer than two, or if that makes the measure undefined or never changes it. */
export interface EvaluationIntervals {
  clusters: number;
  /**
   * Interval of the equal-frequency ECE. The ECE of a well calibrated score is above 0 by chance, and the interval is around that value: compare it
   * with the null distribution. Null for more than `MOST_STEPS` rows × communities.
   */
  ece: ClusterInterval | null;
  auroc: ClusterInterval | null;
  brier: ClusterInterval | null;
}

/** Largest rows × communities for which the ECE is recomputed without each community; this takes about a second. */
const MOST_STEPS = 40_000_000;

export function evaluationIntervals(
  sorted: SortedScores,
  clusterOfRow: Int32Array,
  bins: number,
): { auroc: Estimate; intervals: EvaluationIntervals; warnings: string[] } {
  const { n, scores, targets } = sorted;
  const { cluster, count } = compactClusters(sorted, clusterOfRow);
  const { losses, rows } = brierSums(sorted, cluster, count);
  const interval = (statistic: (weights: Float64Array) => number | null) => {
    const value = statistic(new Float64Array(count).fill(1));
    const found =
      value === null ? null : clusterJackknife(value, leaveEachOut(count, statistic), rows, undefined, [0, 1]);
    return found && hasWidth(found) ? found : null;
  };
  const auroc = clusteredAuroc(scores, targets, cluster, count);
  const isTooLarge = n * count > MOST_STEPS;
  return {
    auroc,
    warnings: isTooLarge ? [`ECE: no interval: ${n} rows in ${count} communities are too many to leave out each`] : [],
    intervals: {
      clusters: count,
      ece: isTooLarge ? null : interval((weights) => weightedError(sorted, cluster, weights, rows, bins)),
      auroc: (auroc.estimate !== null && auroc.cluster) || null,
      brier: interval((weights) => weightedMean(losses, rows, weights)),
    },
  };
}

/** Clusters that have rows, numbered without gaps, in sorted order of the rows. */
function compactClusters({ n, rows }: SortedScores, clusterOfRow: Int32Array): { cluster: Int32Array; count: number } {
  const numbers = new Map<number, number>();
  const cluster = new Int32Array(n);
  for (let i = 0; i < n; i += 1) {
    const name = clusterOfRow[rows[i]!]!;
    let number = numbers.get(name);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(name, number);
    }
    cluster[i] = number;
  }
  return { cluster, count: numbers.size };
}

function brierSums({ n, scores, targets }: SortedScores, cluster: Int32Array, count: number) {
  const losses = new Float64Array(count);
  const rows = new Float64Array(count);
  for (let i = 0; i < n; i += 1) {
    losses[cluster[i]!]! += (scores[i]! - targets[i]!) ** 2;
    rows[cluster[i]!]! += 1;
  }
  return { losses, rows };
}

function weightedMean(sums: Float64Array, rows: Float64Array, weights: Float64Array): number | null {
  let sum = 0;
  let total = 0;
  for (let g = 0; g < sums.length; g += 1) {
    sum += weights[g]! * sums[g]!;
    total += weights[g]! * rows[g]!;
  }
  return total === 0 ? null : sum / total;
}

/** Equal-frequency ECE of a sample that repeats every row as often as its cluster was drawn. */
export function weightedError(
  { n, scores, targets }: SortedScores,
  cluster: Int32Array,
  weights: Float64Array,
  rows: Float64Array,
  bins: number,
): number | null {
  let total = 0;
  for (let g = 0; g < rows.length; g += 1) total += weights[g]! * rows[g]!;
  if (total === 0) return null;
  const edges = equalFrequencyEdges(total, bins);
  let sum = 0;
  let bin = 0;
  let residual = 0;
  let room = edges[1]!;
  for (let i = 0; i < n; i += 1) {
    let copies = weights[cluster[i]!]!;
    const distance = targets[i]! - scores[i]!;
    while (copies >= room) {
      sum += Math.abs(residual + room * distance);
      copies -= room;
      bin += 1;
      residual = 0;
      room = bin + 1 < edges.length ? edges[bin + 1]! - edges[bin]! : Number.POSITIVE_INFINITY;
    }
    residual += copies * distance;
    room -= copies;
  }
  return sum / total;
}
