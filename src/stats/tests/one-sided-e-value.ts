import { checkTrials } from "../check-arguments.js";
import { betaTail } from "../distributions/beta-tail.js";

/**
 * Logarithm of an e-value against "the rate is at least r" after k successes in n trials. It may be looked at after
 * every trial: the probability that it ever reaches 1/δ is at most δ if the rate is at least r throughout.
 *
 * Formula: E = ∫_0^r (p/r)^k ((1−p)/(1−r))^{n−k} π(p) dp with π the Jeffreys density p^{−½} (1−p)^{−½} cut off at r, so
 * E = [I_r(½+k, ½+n−k) B(½+k, ½+n−k)] / [I_r(½, ½) B(½, ½)] / (r^k (1−r)^{n−k}).
 * Why it is valid: for one p < r a trial multiplies E by p/r (success) or (1−p)/(1−r) (failure). At a true rate t the
 * factor has mean f(t) = t p/r + (1−t)(1−p)/(1−r). f is linear, f(r) = 1, and its slope p/r − (1−p)/(1−r) is below 0, so
 * f(t) ≤ 1 for every t ≥ r, also when t changes from trial to trial with the past. The product is therefore a
 * nonnegative supermartingale from 1; so is its average over π; Ville's inequality gives P(sup E ≥ 1/δ) ≤ δ. Counts are
 * enough: the order of the trials does not matter.
 * Why in logarithms of ratios: r^k (1−r)^{n−k} / B is the density that `betaTail` takes out, so it cancels exactly.
 * Range: any real number; 0 at n = 0; falls in k. Fractional k and n are allowed (x in [0, 1]: p^x q^{1−x} ≤ x p + (1−x) q).
 * Undefined when: k outside 0..n, n < 0, or r outside (0, 1): RangeError.
 * Differs from the paper: not in the paper.
 * @see Waudby-Smith and Ramdas (2024), Journal of the Royal Statistical Society B 86:1-27; Ville (1939)
 * @example
 * logOneSidedEValue(0, 1, 0.5) // => 0.49263
 */
export function logOneSidedEValue(k: number, n: number, r: number): number {
  if (!(r > 0 && r < 1)) throw new RangeError(`r: not a limit; got ${r}, expected a rate between 0 and 1`);
  if (n === 0 && k === 0) return 0;
  checkTrials(k, n);
  const tail = betaTail(r, 1 - r, k + 0.5, n - k + 0.5);
  const likelihood = tail.isUpper
    ? Math.log1p(-Math.min(1, Math.exp(tail.logDensity) * tail.ratio)) - tail.logDensity
    : Math.log(tail.ratio);
  // I_r(½, ½) B(½, ½) = 2 arcsin √r.
  return 0.5 * Math.log(r * (1 - r)) + likelihood - Math.log(2 * Math.asin(Math.sqrt(r)));
}
