import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkCount, checkLevel, checkTrials } from "../check-arguments.js";
import { betaQuantile } from "../distributions/incomplete-beta.js";
import type { Interval } from "./proportion.js";

/**
 * Probabilities of m categories from how often each was drawn: the mean of the posterior after Jeffreys' prior. No category is
 * impossible because it did not come up in a few draws, so logarithms and odds of the result are finite.
 *
 * Formula: p_i = (k_i + 1/2) / (K + m/2), K = Σ k_i.
 * Range: (0, 1), sum 1. Bias: towards 1/m by (1 − m p_i) / (2K + m); K draws of one category leave it 1 − (m − 1) / (2K + m).
 * Undefined when: there are no categories: an empty list. With K = 0 it is the prior's mean, 1/m each. RangeError when a count is
 * no count.
 * Differs from the paper: not in the paper.
 * @see Jeffreys (1946), Proceedings of the Royal Society A 186:453-461; `jeffreysInterval`
 * @example
 * jeffreysProbabilities([4, 0]) // => [0.9, 0.1]
 */
export function jeffreysProbabilities(counts: readonly number[]): number[] {
  let total = counts.length / 2;
  for (const count of counts) {
    checkCount("draws", count);
    total += count;
  }
  return counts.map((count) => (count + 0.5) / total);
}

/**
 * Jeffreys interval of a proportion: equal tails of the posterior under the Beta(½, ½) prior. For plots in which rates
 * of 0 and 1 are common.
 *
 * Formula: BetaInv(α/2; k+½, n−k+½) to BetaInv(1−α/2; k+½, n−k+½); lower 0 at k = 0, upper 1 at k = n; α = 1 − level.
 * Range: within [0, 1]; both bounds rise with k. Without the two end rules it would not enclose k/n = 0 or 1.
 * Undefined when: n ≤ 0, k outside 0..n, level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Brown, Cai and DasGupta (2001), Statistical Science 16:101-133, section 4.1.1
 * @example
 * jeffreysInterval(0, 10) // => { lower: 0, upper: 0.21719626750921048 }
 */
export function jeffreysInterval(k: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkTrials(k, n);
  checkLevel(level);
  const tail = (1 - level) / 2;
  return {
    lower: k === 0 ? 0 : betaQuantile(tail, k + 0.5, n - k + 0.5),
    upper: k === n ? 1 : betaQuantile(1 - tail, k + 0.5, n - k + 0.5),
  };
}
