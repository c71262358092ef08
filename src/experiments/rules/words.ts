import type { Estimate } from "../../core/estimate.js";
import { percent, points } from "../../present/words/numbers.js";
import { boundsRow } from "../../present/words/wide-interval.js";

/** "18.2 %", or that it is undefined. */
export function rateWords(estimate: Estimate): string {
  return estimate.estimate === null ? "undefined" : percent(estimate.estimate);
}

/** "−9.4 pp". */
export function pointWords(estimate: Estimate): string {
  return estimate.estimate === null ? "undefined" : points(estimate.estimate);
}

/** Value and interval as columns of a figure; the wider interval where there are two. */
export function estimateRow(estimate: Estimate): Record<string, number | string | null> {
  return {
    value: estimate.estimate,
    ...boundsRow(estimate),
    n: estimate.n,
    ...(estimate.estimate === null ? { reason: estimate.reason } : {}),
  };
}
