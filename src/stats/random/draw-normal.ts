import type { Rng } from "./create-rng.js";

/**
 * A random number by the standard normal law.
 *
 * Formula: √(−2 ln(1 − U)) cos(2πV), U and V uniform; the other half of the pair is thrown away, so that each call takes two numbers.
 * Range: real, |x| < 8.6; mean 0, variance 1.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see Box and Muller (1958), Annals of Mathematical Statistics 29:610-611
 * @example
 * drawNormal({ next: () => 0 }) // => 0
 */
export function drawNormal(rng: Pick<Rng, "next">): number {
  return Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
}
