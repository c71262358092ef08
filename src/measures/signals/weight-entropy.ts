/**
 * Precedent weight entropy H[w]: how undecided the auditor was between High, Medium and Low precedent weight. The one-token proxy
 * of the citation entropy.
 *
 * Formula: H[w] = -Σ p(w) log2 p(w), with 0 · log 0 = 0.
 * Range: bits, [0, log2 3 = 1.585]; higher is less certain.
 * Undefined when: there is no weight distribution (the caller has none to give).
 * Differs from the paper: nothing.
 * @see paper §4.2, Appendix A.2
 * @example weightEntropy([0.5, 0.5, 0]) // => 1
 */
export function weightEntropy(probs: readonly number[]): number {
  let bits = 0;
  for (const p of probs) if (p > 0) bits -= p * Math.log2(p);
  return Math.max(0, bits);
}
