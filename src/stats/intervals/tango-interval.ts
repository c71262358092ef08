import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkCount, checkLevel } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import type { Interval } from "./proportion.js";

/**
 * Tango's score interval of a difference of two rates measured on the same rows: the interval that belongs to a paired
 * comparison, good for few rows and for tables with empty cells.
 *
 * Formula: b rows have the first property only, c the second only, d = (b − c)/n. Bounds are the Δ with (b − c − nΔ) /
 * √(n(2q + Δ(1−Δ))) = ±z, q the share of second-only rows that is most likely under Δ: q = (√(B² − 8nC) − B) / 4n, B =
 * (2n − b + c)Δ − b − c, C = −cΔ(1−Δ). By bisection: the statistic falls in Δ.
 * Range: within [−1, 1], encloses d; mirrored when b and c change places.
 * Undefined when: n = 0, b + c > n, or a number is not a count: RangeError.
 * Differs from the paper: the paper compares paired conditions without intervals.
 * @see Tango (1998), Statistics in Medicine 17:891-908
 * @example
 * tangoInterval(1, 7, 21) // => { lower: -0.5172, upper: -0.0260 }
 */
export function tangoInterval(b: number, c: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkCount("rows", n);
  checkCount("discordant rows", b);
  checkCount("discordant rows", c);
  checkLevel(level);
  if (n === 0 || b + c > n) {
    throw new RangeError(`discordant rows: more than rows; got ${b} + ${c} of ${n}, expected at most n, and n above 0`);
  }
  const z = normalQuantile((1 + level) / 2);
  // One side is computed and mirrored, so that exchanging b and c changes the sign and nothing else.
  return { lower: -upperBound(c, b, n, z), upper: upperBound(b, c, n, z) };
}

/** Greatest Δ that the score test does not reject: the statistic falls in Δ from +∞ to −∞. */
function upperBound(b: number, c: number, n: number, z: number): number {
  if (b === n) return 1;
  let low = (b - c) / n;
  let high = 1;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (score(b, c, n, middle) > -z) low = middle;
    else high = middle;
  }
  return low;
}

function score(b: number, c: number, n: number, delta: number): number {
  const linear = (2 * n - b + c) * delta - b - c;
  const product = -c * delta * (1 - delta);
  const root = Math.sqrt(Math.max(0, linear * linear - 8 * n * product));
  // Written without the difference of two nearly equal numbers.
  const q = linear > 0 ? (-2 * product) / (root + linear) : (root - linear) / (4 * n);
  const variance = n * (2 * q + delta * (1 - delta));
  const numerator = b - c - n * delta;
  return variance > 0 ? numerator / Math.sqrt(variance) : numerator === 0 ? 0 : Math.sign(numerator) * Infinity;
}
