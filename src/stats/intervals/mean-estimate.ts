import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel, checkNumbers } from "../check-arguments.js";
import { studentTQuantile } from "../distributions/incomplete-beta.js";
import type { Interval } from "./proportion.js";

export interface SdEstimate {
  /** null with fewer than two values. */
  sd: number | null;
  /** null: see `reason`. */
  interval: Interval | null;
  n: number;
  reason?: string;
}

/**
 * Sample standard deviation with an interval that does not assume normal values: scores of replicates are bounded and
 * often bimodal, which makes the χ² interval wrong.
 *
 * Formula: s = √(Σ(x − m)² / (n−1)). Interval: the jackknife of ln s², s² exp(± t_{n−1} √(Σ(θ_i − θ̄)² / (n(n−1)))), then
 * its root, with the pseudo-values θ_i = n ln s² − (n−1) ln s²_{−i} and s²_{−i} the variance without row i.
 * Range: [0, ∞); the interval encloses s.
 * Undefined when: fewer than 2 values (no s); fewer than 3, or all of the spread comes from one value (no interval).
 * Values that are all equal have s = 0 and no interval. RangeError when a value is not finite.
 * Differs from the paper: the paper prints σ̂ without an interval.
 * @see Miller (1968), Annals of Mathematical Statistics 39:567-582
 * @example
 * sdEstimate([1, 2, 3, 4]).sd // => 1.2909944
 */
export function sdEstimate(values: ArrayLike<number>, level: number = CONFIDENCE_LEVEL): SdEstimate {
  checkLevel(level);
  checkNumbers("values", values);
  const n = values.length;
  if (n < 2) return { sd: null, interval: null, n, reason: n === 0 ? "no values" : "one value has no spread" };
  let mean = 0;
  for (let i = 0; i < n; i += 1) mean += values[i]! / n;
  let squares = 0;
  let equal = true;
  for (let i = 0; i < n; i += 1) {
    squares += (values[i]! - mean) ** 2;
    if (values[i] !== values[0]) equal = false;
  }
  if (!Number.isFinite(squares))
    throw new RangeError("values: not finite; got a value without a number, expected numbers");
  // The mean of equal values may be off by rounding; their spread is exactly 0.
  if (equal) return { sd: 0, interval: null, n, reason: "all values are equal, which says nothing of chance" };
  const sd = Math.sqrt(squares / (n - 1));
  if (n < 3) return { sd, interval: null, n, reason: "two values give no interval" };
  const half = studentTQuantile((1 + level) / 2, n - 1) * jackknifeError(values, mean, squares);
  if (!Number.isFinite(half)) return { sd, interval: null, n, reason: "all of the spread comes from one value" };
  return { sd, interval: { lower: sd * Math.exp(-half / 2), upper: sd * Math.exp(half / 2) }, n };
}

/** Standard error of ln s²; not finite if leaving one row out leaves no spread. */
function jackknifeError(values: ArrayLike<number>, mean: number, squares: number): number {
  const n = values.length;
  const pseudo = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i += 1) {
    const left = squares - ((values[i]! - mean) ** 2 * n) / (n - 1);
    // ln s² cancels in θ_i − θ̄.
    pseudo[i] = left > squares * 1e-12 ? -(n - 1) * Math.log(left) : Number.POSITIVE_INFINITY;
    sum += pseudo[i]!;
  }
  let spread = 0;
  for (let i = 0; i < n; i += 1) spread += (pseudo[i]! - sum / n) ** 2;
  return Math.sqrt(spread / n / (n - 1));
}

/**
 * A mean with its t interval, from sums that a column store adds up without loss. For soft rates and mean scores.
 *
 * Formula: m ± t_{n−1} s / √n with s² = D / (n−1), D = Σ(x − m)². The argument is D instead of Σx², because Σx² − n m² loses
 * the spread of values that are nearly equal.
 * Range: real; the interval is not cut to the range of x.
 * Undefined when: n = 0 ("no rows"). One value, or values that are all equal, have a mean but no interval: both ends equal it, with a warning.
 * RangeError when m or D is not finite or D < 0.
 * Differs from the paper: the paper prints no intervals.
 * @see Student (1908), Biometrika 6:1-25
 * @example
 * meanEstimate(2, 1.5, 0.5).estimate // => 1.5
 */
export function meanEstimate(n: number, mean: number, squaredDeviations: number, level = CONFIDENCE_LEVEL): Estimate {
  checkCount("rows", n);
  checkLevel(level);
  if (n === 0) return undefinedEstimate("no rows", 0);
  if (!Number.isFinite(mean) || !(squaredDeviations >= 0 && squaredDeviations < Infinity)) {
    throw new RangeError(
      `mean: not that of ${n} finite values; got m = ${mean}, Σ(x − m)² = ${squaredDeviations}, expected finite`,
    );
  }
  const half = n === 1 ? 0 : studentTQuantile((1 + level) / 2, n - 1) * Math.sqrt(squaredDeviations / (n - 1) / n);
  const interval = { estimate: mean, lower: mean - half, upper: mean + half, level, method: "t", n };
  const why = n === 1 ? "one value has no interval" : "all values are equal: the interval has no width";
  return half > 0 ? interval : { ...interval, warnings: [why] };
}

/** The range of a share. */
export const UNIT_RANGE = [0, 1] as const;

/** Mean of values with its t interval, cut to `range`. `empty` is the reason given if there are no values. */
export function meanOf(
  values: readonly number[],
  empty = "no rows",
  range: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): Estimate {
  const n = values.length;
  if (n === 0) return undefinedEstimate(empty, 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const found = meanEstimate(n, mean, squares);
  if (found.estimate === null) return found;
  return { ...found, lower: Math.max(range[0], found.lower), upper: Math.min(range[1], found.upper) };
}
