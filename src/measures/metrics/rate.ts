import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { pooledProportion } from "../../stats/intervals/clustered-proportion.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { type CellMask, countRate, type Tally } from "./tally.js";

interface RateOptions {
  /** Reason given when there is nothing to count. */
  empty: string;
  /** Also bound the rate for every answer that rows without a verdict could have had. Only for rates over all verdicts. */
  worstCase?: boolean;
}

/** k of n verdicts, with the Wilson interval, and next to it the interval for rows that depend on each other within a community. */
export function rate(tallies: readonly Tally[], counted: CellMask, success: CellMask, options: RateOptions): Estimate {
  const clusters = tallies.map((tally) => countRate(tally, counted, success));
  const estimate = shareEstimate(clusters, options.empty);
  if (estimate.estimate === null || !options.worstCase) return estimate;
  const k = estimate.k!;
  const invalid = tallies.reduce((sum, tally) => sum + tally.unscored + tally.errors, 0);
  const attempted = estimate.n + invalid;
  return { ...estimate, worst_case: { lower: k / attempted, upper: (k + invalid) / attempted } };
}

/** A share over communities with both intervals. */
export function shareEstimate(clusters: readonly { k: number; n: number }[], empty: string): Estimate {
  const k = clusters.reduce((sum, cluster) => sum + cluster.k, 0);
  const n = clusters.reduce((sum, cluster) => sum + cluster.n, 0);
  if (n === 0) return undefinedEstimate(empty, 0);
  const estimate = proportion(k, n);
  const cluster = pooledProportion(clusters);
  return cluster && estimate.estimate !== null ? { ...estimate, cluster } : estimate;
}
