import type { Rng } from "../../../stats/random/create-rng.js";
import { type ClusterBootstrap, clusterBootstrap } from "../../../stats/resampling/cluster-bootstrap.js";
import { equalFrequencyEdges, type SortedScores } from "./calibration-error.js";

/** Intervals from resampling whole communities; null where there are fewer than two, or a class is missing. */
export interface EvaluationIntervals {
  clusters: number;
  /** Of the equal-frequency ECE. Resampling adds noise of its own, which lifts an ECE: the interval lies somewhat high. */
  ece: ClusterBootstrap | null;
  auroc: ClusterBootstrap | null;
  brier: ClusterBootstrap | null;
}

/**
 * A resample gives each community a whole number of copies, so nothing is copied: each measure is computed with weights from the
 * one sorted order, the Brier score from a sum per community.
 */
export function evaluationIntervals(
  sorted: SortedScores,
  clusterOfRow: Int32Array,
  options: { rng: Rng; resamples: number; bins: number },
): EvaluationIntervals {
  const { rng, resamples, bins } = options;
  const { cluster, count } = compactClusters(sorted, clusterOfRow);
  const run = (label: string, statistic: (weights: Float64Array) => number | null) =>
    clusterBootstrap(count, statistic, { rng: rng.fork(label), draws: resamples });
  const { losses, rows } = brierSums(sorted, cluster, count);
  return {
    clusters: count,
    ece: run("ece", (weights) => weightedError(sorted, cluster, weights, rows, bins)),
    auroc: run("auroc", (weights) => weightedAuroc(sorted, cluster, weights)),
    brier: run("brier", (weights) => weightedMean(losses, rows, weights)),
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

/** Equal-frequency ECE of the sample in which every row is as often as its cluster was drawn. */
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

/** Area under the ROC curve of the same sample; null when a class is missing in it. */
export function weightedAuroc(
  { n, scores, targets }: SortedScores,
  cluster: Int32Array,
  weights: Float64Array,
): number | null {
  let positives = 0;
  let negatives = 0;
  let pairs = 0;
  for (let i = 0; i < n; ) {
    const score = scores[i]!;
    let p = 0;
    let q = 0;
    for (; i < n && scores[i] === score; i += 1) {
      const weight = weights[cluster[i]!]!;
      if (targets[i] === 1) p += weight;
      else q += weight;
    }
    pairs += p * (negatives + q / 2);
    positives += p;
    negatives += q;
  }
  return positives === 0 || negatives === 0 ? null : pairs / (positives * negatives);
}
