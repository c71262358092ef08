import { checkCount } from "../check-arguments.js";
import { digamma, trigamma } from "../distributions/special-functions.js";

/**
 * Entropy of a distribution whose categories are not known beforehand, from the number of times each was drawn.
 *
 * Formula: Ĥ = −Σ (k_i/K) log2 (k_i/K) + (m − 1) / (2 K ln 2), over the m categories that were drawn.
 * Range: bits, [0, log2 K + (K − 1) / (2 K ln 2)]; 0 where all draws agree.
 * Bias: the plug-in entropy is too low by about (m − 1) / (2 K ln 2), because categories that did not come up are missing from it; the
 * second term corrects that for the categories that did. The remaining bias is negative and falls as 1/K²: for probabilities (.7, .2, .1) it
 * is −0.17, −0.06 and −0.01 bits at K = 5, 10 and 20, where the plug-in has −0.33, −0.17 and −0.08, at nearly the same spread. If most
 * draws differ, K is too small to say more than "at least this much".
 * Undefined when: nothing was drawn: null. RangeError when a count is not a count.
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

/**
 * Standard deviation of the entropy of a distribution that is itself uncertain: how far an entropy estimated from a few draws may be off.
 *
 * Formula: with p ~ Dirichlet(a), A = Σ a, x_i = ψ(a_i + 1) − ψ(A + 2): E[H] = ψ(A + 1) − Σ a_i ψ(a_i + 1) / A;
 * A (A + 1) E[H²] = Σ_{i≠j} a_i a_j (x_i x_j − ψ₁(A + 2)) + Σ a_i (a_i + 1) ((ψ(a_i + 2) − ψ(A + 2))² + ψ₁(a_i + 2) − ψ₁(A + 2)).
 * The result is √(E[H²] − E[H]²) / ln 2.
 * Range: bits, [0, log2 m / 2]; 0 only for a single category.
 * Undefined when: a parameter is not above 0: RangeError.
 * Differs from the paper: not in the paper.
 * @see Wolpert and Wolf (1995), Physical Review E 52:6841-6854; Archer, Park and Pillow (2014), JMLR 15:2833-2868
 * @example
 * dirichletEntropySd([7]) // => 0
 */
export function dirichletEntropySd(parameters: readonly number[]): number {
  let total = 0;
  for (const a of parameters) total += a;
  const psi = digamma(total + 2);
  const psi1 = trigamma(total + 2);
  let mean = digamma(total + 1);
  let sum = 0;
  let sumOfSquares = 0;
  let squares = 0;
  let own = 0;
  for (const a of parameters) {
    const next = digamma(a + 1);
    const x = next - psi;
    const y = x + 1 / (a + 1);
    mean -= (a / total) * next;
    sum += a * x;
    sumOfSquares += a * a * x * x;
    squares += a * a;
    own += a * (a + 1) * (y * y + trigamma(a + 2) - psi1);
  }
  const cross = sum * sum - sumOfSquares - psi1 * (total * total - squares);
  const variance = (cross + own) / (total * (total + 1)) - mean * mean;
  // The difference of two nearly equal numbers may come out negative where the variance is 0.
  return Math.sqrt(Math.max(0, variance)) / Math.LN2;
}

/**
 * Shannon entropy of a discrete distribution, in bits: how uncertain the model is at a token position.
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
    if (p === null || !(p >= 0 && p < Infinity)) {
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
