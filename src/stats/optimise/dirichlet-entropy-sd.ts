import { digamma } from "../distributions/digamma.js";
import { trigamma } from "../distributions/trigamma.js";

/**
 * Standard deviation of the entropy of a distribution that is itself uncertain: how far an entropy that was estimated from a few draws
 * may be off.
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
  // The difference of two nearly equal numbers may come out below 0 where the variance is 0.
  return Math.sqrt(Math.max(0, variance)) / Math.LN2;
}
