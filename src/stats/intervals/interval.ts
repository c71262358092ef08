/** A two-sided confidence interval. */
export interface Interval {
  lower: number;
  upper: number;
}

/**
 * Whether an interval says anything. Formulas of a variance give rows that are all alike an interval without width, and two such rows are no
 * certainty; what rounding leaves of a variance of zero is no width either.
 */
export function hasWidth({ lower, upper }: Interval): boolean {
  return upper - lower >= 1e-12;
}
