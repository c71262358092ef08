import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount } from "../check-arguments.js";
import { wilsonInterval } from "./wilson-interval.js";

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

/**
 * A rate k of n with its Wilson interval, as every share in a report is given. k may be fractional (a sum of
 * probabilities).
 *
 * Formula: k / n.
 * Range: [0, 1].
 * Undefined when: n = 0 ("no rows"). RangeError when n is not a count or k is outside 0..n.
 * Differs from the paper: the paper prints no intervals.
 * @see `wilsonInterval`
 * @example
 * proportion(27, 30).estimate // => 0.9
 */
export function proportion(k: number, n: number, level = CONFIDENCE_LEVEL): Estimate {
  checkCount("rows", n);
  if (n === 0) return undefinedEstimate("no rows", 0);
  const { lower, upper } = wilsonInterval(k, n, level);
  return { estimate: k / n, lower, upper, level, method: "wilson", k, n };
}
