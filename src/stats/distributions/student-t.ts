import { betaLogitQuantile, lowerTail } from "./incomplete-beta.js";
import { normalCdf, normalQuantile } from "./normal.js";

/**
 * Student t quantile: the factor of intervals whose variance was estimated from few clusters or rows.
 *
 * Formula: for p < ½, t = −√(df (1−x)/x) = −√df · exp(−logit(x)/2), with x the 2p quantile of Beta(df/2, ½).
 * Range: real, rising in p, antisymmetric about p = ½. Relative error below 1e-12.
 * Undefined when: p outside [0, 1] or df ≤ 0: RangeError. p = 0 and p = 1 give −Infinity and Infinity; df = Infinity is
 * normal.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 8.17; Abramowitz and Stegun, 26.7.1
 * @example
 * studentTQuantile(0.975, 10) // => 2.2281388519862744
 */
export function studentTQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1 && df > 0)) {
    throw new RangeError(
      `studentTQuantile: outside its domain; got p = ${p}, df = ${df}, expected p in 0..1 and df > 0`,
    );
  }
  if (df === Infinity) return normalQuantile(p);
  if (p === 0.5) return 0;
  if (p > 0.5) return -studentTQuantile(1 - p, df);
  if (p === 0) return -Infinity;
  return -Math.sqrt(df) * Math.exp(-0.5 * betaLogitQuantile(2 * p, 2 * (0.5 - p), df / 2, 0.5));
}

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
