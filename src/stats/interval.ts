/** A two-sided confidence interval. */
export interface Interval {
  lower: number;
  upper: number;
}
