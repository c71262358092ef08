import { logBeta } from "../distributions/log-beta.js";
import type { Interval } from "../intervals/interval.js";

/** ln B(½, ½) = ln π. */
const LOG_PRIOR = Math.log(Math.PI);

/**
 * Logarithm of the e-value against "the mean is p" after t observations in [0, 1] with sum k: evidence that may be looked at
 * after every observation. The means against which it has never reached 1/α are a confidence sequence: they contain the
 * true one at all times with probability 1 − α.
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
 * The confidence sequence itself at one moment: the interval of means that the e-value above does not exclude now.
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

/** Between a point outside and one inside: the last outside that bisection finds, so that the interval errs to the wide side. */
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
