import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkLevel, checkTrials } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import type { Interval } from "./proportion.js";

/**
 * Wilson score interval of a proportion: the interval shown with every rate. Near its nominal coverage on average,
 * for small n and rates near 0 or 1 too.
 *
 * Formula: (k + z²/2 ± z √(k(n−k)/n + z²/4)) / (n + z²), z the (1+level)/2 normal quantile. Each bound is written as
 * its distance from 0 or 1, (k²/n) / (k + z²/2 + z √…), so that small bounds keep their digits and k = 0 gives exactly
 * 0.
 * Range: within [0, 1], encloses k/n; both bounds rise with k.
 * Undefined when: n ≤ 0, k outside 0..n, level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Wilson (1927), Journal of the American Statistical Association 22:209-212
 * @example
 * wilsonInterval(0, 10) // => { lower: 0, upper: 0.27753279986288926 }
 */
export function wilsonInterval(k: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkTrials(k, n);
  checkLevel(level);
  return scoreBounds(k, n, normalQuantile((1 + level) / 2));
}

/** The same for any quantile: that of Student's t where the variance behind n was estimated. */
export function scoreBounds(k: number, n: number, z: number): Interval {
  return { lower: lowerBound(k, n, z), upper: 1 - lowerBound(n - k, n, z) };
}

function lowerBound(k: number, n: number, z: number): number {
  const spread = z * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
  return (k * (k / n)) / (k + (z * z) / 2 + spread);
}
