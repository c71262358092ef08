import { checkCount, checkTrials } from "../check-arguments.js";
import { logBeta } from "./log-beta.js";

/**
 * Probability of exactly k successes in n trials.
 *
 * Formula: C(n, k) p^k (1−p)^{n−k}, with C(n, k) = 1 / ((n+1) B(k+1, n−k+1)), in logarithms.
 * Range: [0, 1]; sums to 1 over k.
 * Undefined when: k or n are not counts with k ≤ n, n = 0, or p lies outside [0, 1]: RangeError.
 * Differs from the paper: not in the paper.
 * @example
 * binomialPmf(1, 2, 0.5) // => 0.5
 */
export function binomialPmf(k: number, n: number, p: number): number {
  checkCount("successes", k);
  checkCount("trials", n);
  checkTrials(k, n);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`p: not a probability; got ${p}, expected 0 to 1`);
  if (p === 0) return k === 0 ? 1 : 0;
  if (p === 1) return k === n ? 1 : 0;
  return Math.exp(k * Math.log(p) + (n - k) * Math.log1p(-p) - Math.log(n + 1) - logBeta(k + 1, n - k + 1));
}
