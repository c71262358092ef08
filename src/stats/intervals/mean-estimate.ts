import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel } from "../check-arguments.js";
import { studentTQuantile } from "../distributions/student-t-quantile.js";

/**
 * A mean with its t interval, from what a column store adds up without loss. For soft rates and mean scores.
 *
 * Formula: m ± t_{n−1} s / √n with s² = D / (n−1), D = Σ(x − m)². D is asked for instead of Σx², whose difference to n m² loses
 * the spread of values that are nearly equal.
 * Range: real; the interval is not cut to the range of x.
 * Undefined when: n = 0 ("no rows") or n = 1 ("one value has no interval"). RangeError when m or D is not finite or D < 0.
 * Differs from the paper: the paper prints no intervals.
 * @see Student (1908), Biometrika 6:1-25
 * @example
 * meanEstimate(2, 1.5, 0.5).estimate // => 1.5
 */
export function meanEstimate(n: number, mean: number, squaredDeviations: number, level = CONFIDENCE_LEVEL): Estimate {
  checkCount("rows", n);
  checkLevel(level);
  if (n === 0) return undefinedEstimate("no rows", 0);
  if (n === 1) return undefinedEstimate("one value has no interval", 1);
  if (!Number.isFinite(mean) || !(squaredDeviations >= 0 && squaredDeviations < Infinity)) {
    throw new RangeError(
      `mean: not that of ${n} finite values; got m = ${mean}, Σ(x − m)² = ${squaredDeviations}, expected finite`,
    );
  }
  const half = studentTQuantile((1 + level) / 2, n - 1) * Math.sqrt(squaredDeviations / (n - 1) / n);
  const interval = { estimate: mean, lower: mean - half, upper: mean + half, level, method: "t", n };
  return half > 0 ? interval : { ...interval, warnings: ["all values are equal: the interval has no width"] };
}
