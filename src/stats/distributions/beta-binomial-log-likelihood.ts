import { checkTrials } from "../check-arguments.js";
import { logRisingFactorial } from "./log-gamma.js";

/**
 * Log-likelihood of k successes in n trials whose rate was drawn from a Beta(a, b) distribution: what communities that
 * differ from each other are fitted by. Without the binomial coefficient, which no parameter moves.
 *
 * Formula: ln B(a+k, b+n−k) − ln B(a, b) = ln (a)_k + ln (b)_{n−k} − ln (a+b)_n, (a)_k = a(a+1)…(a+k−1).
 * Range: at most 0 (nats).
 * Undefined when: a or b is not above 0, k outside 0..n, n < 0: RangeError. n = 0 gives 0.
 * Differs from the paper: not in the paper.
 * @see Skellam (1948), Journal of the Royal Statistical Society B 10:257-261
 * @example
 * betaBinomialLogLikelihood(1, 2, 1, 1) // => -1.791759469228055
 */
export function betaBinomialLogLikelihood(k: number, n: number, a: number, b: number): number {
  if (n === 0 && k === 0) return 0;
  checkTrials(k, n);
  return logRisingFactorial(a, k) + logRisingFactorial(b, n - k) - logRisingFactorial(a + b, n);
}
