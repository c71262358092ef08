import type { Estimate } from "../../core/estimate.js";

/** A value with its interval as columns of a figure. */
export function estimateColumns(estimate: Estimate): {
  value: number | null;
  lower: number | null;
  upper: number | null;
} {
  if (estimate.estimate === null) return { value: null, lower: null, upper: null };
  return { value: estimate.estimate, lower: estimate.lower, upper: estimate.upper };
}
