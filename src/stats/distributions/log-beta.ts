import { logGamma } from "./log-gamma.js";
import { HALF_LN_TWO_PI, stirlingRemainder } from "./stirling-remainder.js";

/**
 * Natural logarithm of the beta function, the normaliser of beta and beta-binomial likelihoods.
 *
 * Formula: ln B(a, b) = ln Γ(a) + ln Γ(b) − ln Γ(a+b). With the larger argument from 10 on the three terms nearly
 * cancel, so their common part is taken out first and only Stirling remainders Δ are subtracted.
 * Range: any real number; falls in a and in b.
 * Undefined when: a ≤ 0 or b ≤ 0: RangeError.
 * Differs from the paper: not in the paper.
 * @see DiDonato and Morris (1992), ACM Transactions on Mathematical Software 18:360-373 (BCORR)
 * @example
 * logBeta(2, 3) // => -2.4849066497880004
 */
export function logBeta(a: number, b: number): number {
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity)) {
    throw new RangeError(`logBeta: outside its domain; got a = ${a}, b = ${b}, expected both finite and above 0`);
  }
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  const sum = small + large;
  if (large < 10) return logGamma(small) + logGamma(large) - logGamma(sum);
  const correction = stirlingRemainder(large) - stirlingRemainder(sum);
  const logLargeShare = Math.log1p(-small / sum);
  if (small < 10) {
    return logGamma(small) + correction + small - small * Math.log(sum) + (large - 0.5) * logLargeShare;
  }
  const logSmallShare = Math.log(small / sum);
  const head = HALF_LN_TWO_PI - 0.5 * Math.log(large) + stirlingRemainder(small) + correction;
  return head + (small - 0.5) * logSmallShare + large * logLargeShare;
}
