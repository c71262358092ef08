import { checkTrials } from "../check-arguments.js";
import { betaTail } from "../distributions/incomplete-beta.js";
import { logBeta } from "../distributions/special-functions.js";
import type { Interval } from "../intervals/proportion.js";

/** ln B(½, ½) = ln π. */
const LOG_PRIOR = Math.log(Math.PI);

/**
 * Logarithm of the e-value against "the mean is p" after t observations in [0, 1] with sum k: evidence that may be inspected
 * after every observation. The means against which it has never reached 1/α form a confidence sequence: with probability
 * 1 − α they contain the true mean at all times.
 *
 * Formula: ln B(½ + k, ½ + t − k) − ln B(½, ½) − k ln p − (t − k) ln(1 − p).
 * Why it is valid: for each q, the product of (q/p)^x ((1−q)/(1−p))^{1−x} has factors of mean at most 1 under mean p, since
 * a^x b^{1−x} ≤ x a + (1−x) b, with equality at x = 0 and 1. So does its average over the Jeffreys density of q; Ville's
 * inequality gives P(ever ≥ 1/α) ≤ α. Fractional x, such as probabilities instead of draws, are therefore allowed.
 * Range: any real number; 0 at t = 0; convex in p with its least value at k/t.
 * Undefined when: k outside 0..t, or p outside (0, 1): RangeError.
 * Differs from the paper: not in the paper, which draws a fixed 1,000 replicates.
 * @see Ville (1939); Waudby-Smith and Ramdas (2024), Journal of the Royal Statistical Society B 86:1-27
 * @example
 * logMixtureEValue(1, 1, 0.5) // => 0
 */
export function logMixtureEValue(k: number, t: number, p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`p: not a mean; got ${p}, expected a number between 0 and 1`);
  checkSum(k, t);
  return logBeta(0.5 + k, 0.5 + t - k) - LOG_PRIOR - k * Math.log(p) - (t - k) * Math.log1p(-p);
}

/**
 * The confidence sequence at one moment: the interval of means that the e-value above does not currently exclude.
 *
 * Formula: {p : ln E(p) < ln(1/α)}, its ends found by bisection on each side of k/t.
 * Range: within [0, 1], encloses k/t; the whole range at t = 0.
 * Undefined when: k outside 0..t, or α outside (0, 1): RangeError.
 * Differs from the paper: not in the paper.
 * @see `logMixtureEValue`
 * @example
 * confidenceSequence(0, 0, 0.05) // => { lower: 0, upper: 1 }
 */
export function confidenceSequence(k: number, t: number, alpha: number): Interval {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha: got ${alpha}, expected a number between 0 and 1`);
  checkSum(k, t);
  if (t === 0) return { lower: 0, upper: 1 };
  const limit = Math.log(1 / alpha);
  const outside = (p: number) => logMixtureEValue(k, t, p) >= limit;
  const mean = k / t;
  return {
    lower: k === 0 ? 0 : border(0, mean, outside),
    upper: k === t ? 1 : border(1, mean, outside),
  };
}

/** Bisects between a point outside and one inside, and returns the last point outside, so that the interval is too wide rather than too narrow. */
function border(from: number, to: number, outside: (p: number) => boolean): number {
  let [far, near] = [from, to];
  for (let step = 0; step < 50; step += 1) {
    const middle = (far + near) / 2;
    if (middle <= 0 || middle >= 1) break;
    if (outside(middle)) far = middle;
    else near = middle;
  }
  return far;
}

function checkSum(k: number, t: number): void {
  if (t >= 0 && t < Infinity && k >= 0 && k <= t) return;
  throw new RangeError(`sum: outside 0 to t; got k = ${k} of t = ${t}, expected 0 ≤ k ≤ t`);
}

/**
 * Logarithm of an e-value against "the rate is at least r" after k successes in n trials. It may be inspected after
 * every trial: the probability that it ever reaches 1/δ is at most δ if the rate is at least r throughout.
 *
 * Formula: E = ∫_0^r (p/r)^k ((1−p)/(1−r))^{n−k} π(p) dp with π the Jeffreys density p^{−½} (1−p)^{−½} cut off at r, so
 * E = [I_r(½+k, ½+n−k) B(½+k, ½+n−k)] / [I_r(½, ½) B(½, ½)] / (r^k (1−r)^{n−k}).
 * Why it is valid: for one p < r a trial multiplies E by p/r (success) or (1−p)/(1−r) (failure). At a true rate t the
 * factor has mean f(t) = t p/r + (1−t)(1−p)/(1−r). f is linear, f(r) = 1, and its slope p/r − (1−p)/(1−r) is below 0, so
 * f(t) ≤ 1 for every t ≥ r, also when t changes from trial to trial with the past. The product is therefore a
 * nonnegative supermartingale from 1; so is its average over π; Ville's inequality gives P(sup E ≥ 1/δ) ≤ δ. Counts are
 * enough: the order of the trials does not matter.
 * Why in logarithms of ratios: r^k (1−r)^{n−k} / B is the density that `betaTail` factors out, so it cancels exactly.
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
