/**
 * Probabilities with which a level is drawn at temperature T, from those at temperature 1. Their mean over replicates estimates
 * the share of each level with less noise than counting draws does (Rao and Blackwell).
 *
 * Formula: p_T(l) = p(l)^{1/T} / Σ p^{1/T}; T = 0 takes the likeliest level, ties shared.
 * Range: [0, 1], sum 1.
 * Undefined when: a probability is NaN or negative, or all are 0: null.
 * Differs from the paper: the paper does not say whether its probabilities are before or after temperature. Here they are
 * those of whole labels; where a label has several spellings, a model draws among these, and the two differ a little.
 * @see paper §7.2
 * @example
 * samplingLaw(0.8, 0.2, 0, 0.5) // => [0.9411765, 0.0588235, 0]
 */
export function samplingLaw(p1: number, p2: number, p3: number, temperature: number): [number, number, number] | null {
  const largest = Math.max(p1, p2, p3);
  if (!(largest > 0 && Math.min(p1, p2, p3) >= 0 && temperature >= 0)) return null;
  // Relative to the largest: a low temperature would underflow all three.
  const power = (p: number) => (temperature === 0 ? (p === largest ? 1 : 0) : (p / largest) ** (1 / temperature));
  const [a, b, c] = [power(p1), power(p2), power(p3)];
  const sum = a + b + c;
  return [a / sum, b / sum, c / sum];
}
