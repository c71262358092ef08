import { checkCount, checkTrials } from "../check-arguments.js";
import { lowerTail } from "./incomplete-beta.js";
import { logBeta } from "./log-gamma.js";

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

/**
 * Probability of at most k successes in n trials: the p-value of "the rate is at least p" after seeing k.
 *
 * Formula: P(X ≤ k) = I_{1−p}(n − k, k + 1), X ~ Bin(n, p).
 * Range: [0, 1]; falls with p, rises with k; 1 at k = n.
 * Undefined when: k or n are not counts with k ≤ n, or p lies outside [0, 1]: RangeError.
 * Differs from the paper: not in the paper.
 * @example
 * binomialCdf(0, 2, 0.5) // => 0.25
 */
export function binomialCdf(k: number, n: number, p: number): number {
  checkCount("successes", k);
  checkCount("trials", n);
  if (k > n) throw new RangeError(`successes: outside 0 to n; got k = ${k} of n = ${n}, expected 0 ≤ k ≤ n`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`p: not a probability; got ${p}, expected 0 to 1`);
  if (k === n || p === 0) return 1;
  if (p === 1) return 0;
  return lowerTail(1 - p, p, n - k, k + 1);
}
