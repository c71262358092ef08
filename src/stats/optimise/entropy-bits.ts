/**
 * Shannon entropy of a discrete distribution, in bits: how undecided a token position is.
 *
 * Formula: H = −Σ q_i log2 q_i, q_i = p_i / Σp, 0 · log2 0 = 0.
 * Range: [0, log2 k] for k entries; 0 is certainty. Input need not sum to 1.
 * Undefined when: no entries or all mass is 0: null. RangeError when a mass is negative or not finite.
 * Differs from the paper: nothing; the paper leaves the base of H[κ] open, bits are used throughout.
 * @see paper §4.2; Shannon (1948), Bell System Technical Journal 27:379-423
 * @example
 * entropyBits([1, 1, 2]) // => 1.5
 */
export function entropyBits(probs: ArrayLike<number>): number | null {
  let total = 0;
  for (let i = 0; i < probs.length; i += 1) {
    const p = probs[i]!;
    if (!(p >= 0 && p < Infinity)) {
      throw new RangeError(`probabilities: not a mass; got ${p} at index ${i}, expected a finite number from 0 on`);
    }
    total += p;
  }
  if (total === 0) return null;
  let entropy = 0;
  for (let i = 0; i < probs.length; i += 1) {
    const q = probs[i]! / total;
    if (q > 0) entropy -= q * Math.log2(q);
  }
  // Summing rounded parts can leave −1e-17, and −0 when one entry holds everything.
  return Math.max(0, entropy);
}
