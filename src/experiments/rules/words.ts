import type { Estimate } from "../../domain/estimate.js";
import { wideInterval } from "../../figures/wide-interval.js";

/** "18.2 %", or that it is undefined. */
export function rateWords(estimate: Estimate): string {
  return estimate.estimate === null ? "undefined" : `${(100 * estimate.estimate).toFixed(1)} %`;
}

/** "−9.4 pp". */
export function pointWords(estimate: Estimate): string {
  if (estimate.estimate === null) return "undefined";
  return `${estimate.estimate < 0 ? "−" : "+"}${Math.abs(100 * estimate.estimate).toFixed(1)} pp`;
}

/** Value and interval as columns of a figure; the wider interval where there are two. */
export function estimateRow(estimate: Estimate): Record<string, number | string | null> {
  const interval = wideInterval(estimate);
  return {
    value: estimate.estimate,
    lower: interval?.lower ?? null,
    upper: interval?.upper ?? null,
    n: estimate.n,
    ...(estimate.estimate === null ? { reason: estimate.reason } : {}),
  };
}
