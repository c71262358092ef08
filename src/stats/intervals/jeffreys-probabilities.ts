import { checkCount } from "../check-arguments.js";

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
