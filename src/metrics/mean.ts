import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../domain/estimate.js";
import { linearizedInterval } from "../stats/linearized-interval.js";
import { meanEstimate } from "../stats/mean-estimate.js";

/** Sums of one number over the verdicts of one community that have it. */
export interface ClusterSums {
  cluster: string;
  n: number;
  sum: number;
  sumOfSquares: number;
}

/**
 * Mean of a number over verdicts: DI_soft is the mean of p(L1) + p(L2), AI_soft the mean of σ(ρ). Soft indices vary less than counts of
 * sampled labels and show how much of a rate is the sampling of the last token.
 *
 * Σx / n with a t interval, and beside it the interval for rows clustered by community.
 * Undefined when fewer than two verdicts have the number.
 */
export function meanOver(clusters: readonly ClusterSums[], bounds: [number, number], empty: string): Estimate {
  const present = clusters.filter((cluster) => cluster.n > 0);
  const n = present.reduce((total, cluster) => total + cluster.n, 0);
  if (n === 0) return undefinedEstimate(empty, 0);
  const sum = present.reduce((total, cluster) => total + cluster.sum, 0);
  const squares = present.reduce((total, cluster) => total + cluster.sumOfSquares, 0);
  const estimate = meanEstimate(n, sum, squares);
  if (estimate.estimate === null) return estimate;
  estimate.lower = Math.max(bounds[0], estimate.lower);
  estimate.upper = Math.min(bounds[1], estimate.upper);
  const mean = sum / n;
  const influences = present.map((cluster) => (cluster.sum - mean * cluster.n) / n);
  const cluster = linearizedInterval(mean, influences, CONFIDENCE_LEVEL, bounds);
  if (cluster) {
    const g = present.length;
    const clustered = (g / (g - 1)) * influences.reduce((total, value) => total + value ** 2, 0);
    const independent = (squares - n * mean ** 2) / (n - 1) / n;
    estimate.cluster = { ...cluster, design_effect: independent > 1e-15 ? clustered / independent : null };
  }
  return estimate;
}
