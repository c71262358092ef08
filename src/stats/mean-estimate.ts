import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../domain/estimate.js";
import { checkCount, checkLevel } from "./check-arguments.js";
import { studentTQuantile } from "./student-t-quantile.js";

/**
 * A mean with its t interval, from the three sums that a column store can add up. For soft rates and mean scores.
 *
 * Formula: m = Σx / n; s² = (Σx² − n m²) / (n−1); m ± t_{n−1} s / √n. Meant for values of order one: where the mean
 * exceeds the spread a million times, the subtraction loses the spread.
 * Range: real; the interval is not cut to the range of x.
 * Undefined when: n = 0 ("no rows") or n = 1 ("one value has no interval"). RangeError when the sums are not finite.
 * Differs from the paper: the paper prints no intervals.
 * @see Student (1908), Biometrika 6:1-25
 * @example
 * meanEstimate(2, 3, 5).estimate // => 1.5
 */
export function meanEstimate(n: number, sum: number, sumOfSquares: number, level = CONFIDENCE_LEVEL): Estimate {
  checkCount("rows", n);
  checkLevel(level);
  if (n === 0) return undefinedEstimate("no rows", 0);
  if (n === 1) return undefinedEstimate("one value has no interval", 1);
  if (!Number.isFinite(sum) || !(sumOfSquares >= 0 && sumOfSquares < Infinity)) {
    throw new RangeError(
      `sums: not those of ${n} finite values; got Σx = ${sum}, Σx² = ${sumOfSquares}, expected finite`,
    );
  }
  const estimate = sum / n;
  const variance = Math.max(0, sumOfSquares - estimate * sum) / (n - 1);
  const half = studentTQuantile((1 + level) / 2, n - 1) * Math.sqrt(variance / n);
  const interval = { estimate, lower: estimate - half, upper: estimate + half, level, method: "t", n };
  return variance > 0 ? interval : { ...interval, warnings: ["all values are equal: the interval has no width"] };
}
