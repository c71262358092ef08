import { logSumExp } from "../../../stats/distributions/log-sum-exp.js";
import { checkRate, driftAlternatives } from "./alternatives.js";

/**
 * Logarithm of the evidence that a rate has been above a limit since counting began: what is compared across communities (e-BH). Its mean stays at
 * most 1 while the rate is within the limit, at every time and whenever one looks; a Shiryaev–Roberts statistic's mean grows with time, so that
 * one cannot be used here.
 *
 * Formula: ln E = ln mean over p1 of (p1/p0)^k ((1 − p1)/(1 − p0))^{n−k}.
 * Range: any real number, 0 at n = 0; rises with k. Fractional k (sums of probabilities) is valid: a^x b^{1−x} ≤ x a + (1 − x) b.
 * Undefined when: k outside 0..n, p0 outside (0, 1), a p1 not above p0: RangeError.
 * Differs from the paper: not in the paper.
 * @see Ramdas, Grünwald, Vovk and Shafer (2023), Statistical Science 38:576-601; `logOneSidedEValue` is the other direction
 * @example
 * productLogE(2, 2, 0.1, [0.5]) // => 3.2188758
 */
export function productLogE(k: number, n: number, p0: number, p1: readonly number[] = driftAlternatives(p0)): number {
  checkRate("p0", p0);
  if (!(n >= 0 && n < Infinity && k >= 0 && k <= n)) {
    throw new RangeError(`counts: outside 0 to n; got k = ${k} of n = ${n}, expected 0 ≤ k ≤ n`);
  }
  const terms = p1.map((rate) => {
    if (!(rate > p0 && rate < 1))
      throw new RangeError(`p1: nothing to detect; got ${rate}, expected above p0 = ${p0} and below 1`);
    return k * Math.log(rate / p0) + (n - k) * (Math.log1p(-rate) - Math.log1p(-p0));
  });
  return logSumExp(terms) - Math.log(terms.length);
}
