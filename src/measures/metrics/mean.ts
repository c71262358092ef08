import { type DefinedEstimate, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { intervalOf, spreadOfSums } from "../../stats/intervals/cluster-jackknife.js";
import { hasWidth } from "../../stats/intervals/interval.js";
import { meanEstimate } from "../../stats/intervals/mean-estimate.js";

/** One number over the verdicts of one community that have it. */
export interface ClusterMean {
  cluster: string;
  n: number;
  /** 0 where n is. */
  mean: number;
  /** Σ(x − mean)² within the community. */
  squaredDeviations: number;
}

/**
 * Mean of a number over verdicts: DI_soft is the mean of p(L1) + p(L2), AI_soft the mean of σ(ρ). Soft indices vary less than counts of
 * sampled labels and show how much of a rate is the sampling of the last token.
 *
 * Σx / n with a t interval, and beside it the interval for rows clustered by community.
 * Where all n values are equal their spread says nothing of chance: with confidence 1 − α at most ε = 1 − α^(1/n) of the population has another
 * value, which lies within `bounds`. No interval over communities whose means are all equal.
 * Undefined when fewer than two verdicts have the number.
 */
export function meanOver(clusters: readonly ClusterMean[], bounds: [number, number], empty: string): Estimate {
  const present = clusters.filter((cluster) => cluster.n > 0);
  const n = present.reduce((total, cluster) => total + cluster.n, 0);
  if (n === 0) return undefinedEstimate(empty, 0);
  const mean = present.reduce((total, cluster) => total + cluster.n * cluster.mean, 0) / n;
  const deviations = present.reduce(
    (total, cluster) => total + cluster.squaredDeviations + cluster.n * (cluster.mean - mean) ** 2,
    0,
  );
  const estimate = meanEstimate(n, mean, deviations);
  if (estimate.estimate === null) return estimate;
  if (!hasWidth(estimate)) return allEqual(estimate, bounds);
  estimate.lower = Math.max(bounds[0], estimate.lower);
  estimate.upper = Math.min(bounds[1], estimate.upper);
  const spread = spreadOfSums(
    present.map((cluster) => (cluster.n * (cluster.mean - mean)) / n),
    present.map((cluster) => cluster.n),
  );
  if (!spread || !hasWidth(intervalOf(mean, spread, bounds))) return estimate;
  const independent = deviations / (n - 1) / n;
  const design_effect = independent > 1e-15 ? spread.variance / independent : null;
  return { ...estimate, cluster: { ...intervalOf(mean, spread, bounds), design_effect } };
}

function allEqual(estimate: DefinedEstimate, [least, most]: [number, number]): Estimate {
  const others = 1 - (1 - estimate.level) ** (1 / estimate.n);
  if (!(most - least < Number.MAX_VALUE)) return estimate;
  return {
    ...estimate,
    lower: estimate.estimate - others * (estimate.estimate - least),
    upper: estimate.estimate + others * (most - estimate.estimate),
    method: "equal values",
    warnings: ["all values are equal: the interval holds what the rest of the population could have"],
  };
}
