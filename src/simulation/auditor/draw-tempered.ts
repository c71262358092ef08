import type { Rng } from "../../stats/random/create-rng.js";

/**
 * Index of one of three labels, drawn as a language model samples at a temperature from the distribution it reports raw.
 *
 * Formula: P(i) ∝ p_i^(1/T); T = 0: the likeliest, of equals the last. Powers are taken of p over the largest, so that a low temperature does not
 * underflow.
 * Range: 0 to 2. One number is taken from the generator at any temperature.
 * Undefined when: never; the probabilities need not sum to 1.
 * Differs from the paper: the paper does not say whether its probabilities are raw.
 * @see paper §7.2
 * @example drawTempered([0.2, 0.5, 0.3], 0, { next: () => 0.99 }) // => 1
 */
export function drawTempered(
  [a, b, c]: readonly [number, number, number],
  temperature: number,
  rng: Pick<Rng, "next">,
): number {
  const place = rng.next();
  const most = Math.max(a, b, c);
  if (temperature === 0) return c === most ? 2 : b === most ? 1 : 0;
  const power = 1 / temperature;
  const first = (a / most) ** power;
  const second = (b / most) ** power;
  const left = place * (first + second + (c / most) ** power);
  return left < first ? 0 : left < first + second ? 1 : 2;
}
