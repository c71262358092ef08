import type { Estimate } from "../../core/estimate.js";
import { judgedInterval } from "../../measures/metrics/judged-interval.js";
import { hasWidth } from "../../stats/intervals/interval.js";

export interface Bounds {
  lower: number;
  upper: number;
}

/** The interval to show and to judge by, of independent rows or with communities as clusters. Null: undefined. */
export function wideInterval(estimate: Estimate): Bounds | null {
  if (estimate.estimate === null) return null;
  const { lower, upper } = isClusterWider(estimate) ? estimate.cluster! : estimate;
  return { lower, upper };
}

/** The interval to show as columns of a figure. */
export function boundsRow(estimate: Estimate): Bounds | { lower: null; upper: null } {
  return wideInterval(estimate) ?? { lower: null, upper: null };
}

/** Whether the interval to show is the one with communities as clusters. Both may begin or end at the same place, as at 0 %. */
export function isClusterWider(estimate: Estimate): boolean {
  return estimate.estimate !== null && judgedInterval(estimate) === "cluster";
}

/**
 * Whether there is a value but no interval to show with it. Formulas of a variance give cases that are all alike an interval of width zero,
 * and two such cases are no certainty.
 */
export function isSilent(estimate: Estimate): boolean {
  const bounds = wideInterval(estimate);
  if (estimate.estimate === null || bounds === null || estimate.method === "by construction") return false;
  return !hasWidth(bounds);
}
