import { lowerTail } from "./incomplete-beta.js";
import { normalCdf } from "./normal-cdf.js";

/**
 * Student t distribution function, for intervals and p-values that rest on few clusters or rows.
 *
 * Formula: P(T ≤ −|t|) = ½ I_x(df/2, ½) with x = df / (df + t²); 1 minus it for t > 0.
 * Range: (0, 1), rising in t. Relative error below 1e-12 in the lower tail.
 * Undefined when: t is not a number or df ≤ 0: RangeError. df = Infinity is the normal distribution.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 8.17; Abramowitz and Stegun, 26.7.1
 * @example
 * studentTCdf(0, 5) // => 0.5
 */
export function studentTCdf(t: number, df: number): number {
  if (Number.isNaN(t) || !(df > 0)) {
    throw new RangeError(`studentTCdf: outside its domain; got t = ${t}, df = ${df}, expected a number and df > 0`);
  }
  if (df === Infinity) return normalCdf(t);
  const square = t * t;
  if (square === Infinity) return t < 0 ? 0 : 1;
  const tail = 0.5 * lowerTail(df / (df + square), square / (df + square), df / 2, 0.5);
  return t < 0 ? tail : 1 - tail;
}
