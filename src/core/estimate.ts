/** The same quantity with rows of one community (or thread) treated as dependent. */
export interface ClusterInterval {
  lower: number;
  upper: number;
  method: string;
  clusters: number;
  /** How many clusters of equal size say as much: 1/Σ(share of rows)². Absent where an interval does not use it. */
  effective_clusters?: number | undefined;
  /** Variance relative to independent rows; null where it cannot be estimated. */
  design_effect: number | null;
}

export interface DefinedEstimate {
  estimate: number;
  lower: number;
  upper: number;
  /** Confidence level of the two-sided interval. */
  level: number;
  method: string;
  /** Successes, where the estimate is k of n. */
  k?: number | undefined;
  n: number;
  cluster?: ClusterInterval | undefined;
  /** What the rate would be if every row without a verdict had counted against it, or for it. */
  worst_case?: { lower: number; upper: number } | undefined;
  warnings?: string[] | undefined;
}

export interface UndefinedEstimate {
  estimate: null;
  reason: string;
  n: number;
  /** What bounds it anyway, where a part of the population was not looked at. */
  worst_case?: { lower: number; upper: number } | undefined;
}

/** A number with its denominator and interval, or *undefined* with the reason. Never NaN, never a polite zero. */
export type Estimate = DefinedEstimate | UndefinedEstimate;

/** Confidence level of every interval unless a caller says otherwise. */
export const CONFIDENCE_LEVEL = 0.95;

/** Successes of a rate; none where it is undefined. */
export function countOf(estimate: Estimate): number {
  return estimate.estimate === null ? 0 : (estimate.k ?? 0);
}

export function undefinedEstimate(reason: string, n = 0): UndefinedEstimate {
  return { estimate: null, reason, n };
}
