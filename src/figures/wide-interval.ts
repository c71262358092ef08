import type { Estimate } from "../domain/estimate.js";

export interface Bounds {
  lower: number;
  upper: number;
}

/**
 * The interval to show and to judge by: the wider of that for independent rows and that for rows that depend on each other within a
 * community. With few communities the second can come out too narrow by chance. Null: undefined.
 */
export function wideInterval(estimate: Estimate): Bounds | null {
  if (estimate.estimate === null) return null;
  const { lower, upper } = isClusterWider(estimate) ? estimate.cluster! : estimate;
  return { lower, upper };
}

/** Whether the interval to show is the one with communities as clusters. Both may begin or end at the same place, as at 0 %. */
export function isClusterWider(estimate: Estimate): boolean {
  if (estimate.estimate === null || !estimate.cluster) return false;
  const { lower, upper } = estimate.cluster;
  return upper - lower > estimate.upper - estimate.lower;
}

/**
 * Whether there is a value but no interval to show with it. Formulas of a variance give cases that are all alike an interval of width zero,
 * and two such cases are no certainty.
 */
export function isSilent(estimate: Estimate): boolean {
  const bounds = wideInterval(estimate);
  if (estimate.estimate === null || bounds === null || estimate.method === "by construction") return false;
  return bounds.upper - bounds.lower < 1e-12;
}
