import { checkTrials } from "../check-arguments.js";
import { binomialCdf } from "../distributions/binomial.js";

/**
 * p-value of "the mean loss is above the limit" for independent losses between 0 and 1, valid for every n: what the binomial tail is for
 * losses of 0 and 1, for those in between.
 *
 * Formula: min( e^{−n·kl(min(m, r) ‖ r)}, e·P(Bin(n, r) ≤ ⌈n m⌉), 1 ), m = sum / n, kl(a ‖ b) = a ln(a/b) + (1−a) ln((1−a)/(1−b)). The
 * sum is rounded up with a slack of 1e-9, so that ten losses of 0.1 are one and not two.
 * Range: (0, 1]; rises with the sum, falls with the limit.
 * Undefined when: n ≤ 0, sum outside 0..n, or the limit outside (0, 1): RangeError.
 * Differs from the paper: not in the paper.
 * @see Bates, Angelopoulos, Lei, Malik and Jordan (2021), Journal of the ACM 68:43, theorem 4
 * @example
 * hoeffdingBentkus(2, 50, 0.1) // => 0.282163792876
 */
export function hoeffdingBentkus(sum: number, n: number, limit: number): number {
  checkTrials(sum, n);
  if (!(limit > 0 && limit < 1)) throw new RangeError(`limit: not a rate; got ${limit}, expected between 0 and 1`);
  const mean = sum / n;
  if (mean >= limit) return 1;
  const hoeffding = Math.exp(-n * divergence(mean, limit));
  const count = Math.min(n, Math.ceil(sum - 1e-9 * Math.max(1, sum)));
  return Math.min(hoeffding, Math.E * binomialCdf(count, n, limit), 1);
}

/** kl(a ‖ b) of two coins in nats, a < b. */
function divergence(a: number, b: number): number {
  return (a === 0 ? 0 : a * Math.log(a / b)) + (1 - a) * (Math.log1p(-a) - Math.log1p(-b));
}
