import { checkCount } from "../check-arguments.js";
import { entropyBits } from "./entropy-bits.js";

/**
 * Entropy of a distribution whose categories are not known beforehand, from how often each was drawn.
 *
 * Formula: Ĥ = −Σ (k_i/K) log2 (k_i/K) + (m − 1) / (2 K ln 2), over the m categories that were drawn.
 * Range: bits, [0, log2 K + (K − 1) / (2 K ln 2)]; 0 where all draws agree.
 * Bias: the plug-in entropy is too low by about (m − 1) / (2 K ln 2), because categories that did not come up are missing from it; the
 * second term returns that for the categories that did. What is left is below 0 and falls as 1/K²: for probabilities (.7, .2, .1) it is
 * −0.17, −0.06 and −0.01 bits at K = 5, 10 and 20, where the plug-in has −0.33, −0.17 and −0.08, at nearly the same spread. Where most
 * draws differ, K is too small to say anything but "at least this much".
 * Undefined when: nothing was drawn: null. RangeError when a count is no count.
 * Differs from the paper: not in the paper.
 * @see Miller (1955), "Note on the bias of information estimates", in Information Theory in Psychology
 * @example
 * millerMadowEntropy([2, 2]) // => 1.1803
 */
export function millerMadowEntropy(counts: readonly number[]): number | null {
  let draws = 0;
  let categories = 0;
  for (const count of counts) {
    checkCount("draws", count);
    draws += count;
    if (count > 0) categories++;
  }
  const bits = entropyBits(counts);
  return bits === null ? null : bits + (categories - 1) / (2 * draws * Math.LN2);
}
