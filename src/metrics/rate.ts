import { type Estimate, undefinedEstimate } from "../domain/estimate.js";
import { clusteredProportion } from "../stats/clustered-proportion.js";
import { proportion } from "../stats/proportion.js";
import { type CellMask, countIn, type Tally } from "./tally.js";

export interface RateOptions {
  /** Reason given when there is nothing to count. */
  empty: string;
  /** Also bound the rate for every answer that rows without a verdict could have had. Only for rates over all verdicts. */
  worstCase?: boolean;
}

/** k of n verdicts, with the Wilson interval, and beside it the interval for rows that depend on each other within a community. */
export function rate(tallies: readonly Tally[], counted: CellMask, success: CellMask, options: RateOptions): Estimate {
  const both = counted.map((one, i) => one * success[i]!);
  const clusters = tallies.map((tally) => ({ k: countIn(tally, both), n: countIn(tally, counted) }));
  const k = clusters.reduce((sum, cluster) => sum + cluster.k, 0);
  const n = clusters.reduce((sum, cluster) => sum + cluster.n, 0);
  if (n === 0) return undefinedEstimate(options.empty, 0);
  const estimate = proportion(k, n);
  if (estimate.estimate === null) return estimate;
  const cluster = clusteredProportion(clusters);
  if (cluster) estimate.cluster = cluster;
  if (options.worstCase) {
    const invalid = tallies.reduce((sum, tally) => sum + tally.unscored + tally.errors, 0);
    estimate.worst_case = { lower: k / (n + invalid), upper: (k + invalid) / (n + invalid) };
  }
  return estimate;
}
