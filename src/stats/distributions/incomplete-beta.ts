import { betaTail } from "./beta-tail.js";

/**
 * Regularised incomplete beta function: the probability that a Beta(a, b) variable is at most x. Binomial tails,
 * Student t probabilities and Clopper–Pearson bounds are values of it.
 *
 * Formula: I_x(a, b) = ∫_0^x t^{a−1} (1−t)^{b−1} dt / B(a, b).
 * Range: [0, 1]; rises in x and b, falls in a. Relative error below 1e-12 (the smaller tail is computed, never 1 −
 * larger).
 * Undefined when: x outside [0, 1], or a, b not finite and positive: RangeError.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 8.17
 * @example
 * incompleteBeta(0.5, 2, 2) // => 0.5
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  checkShapes("incompleteBeta", a, b);
  if (!(x >= 0 && x <= 1)) throw new RangeError(`incompleteBeta: outside its domain; got x = ${x}, expected 0 to 1`);
  return lowerTail(x, 1 - x, a, b);
}

/** P(X ≤ x) for X ~ Beta(a, b), from x and y = 1 − x. */
export function lowerTail(x: number, y: number, a: number, b: number): number {
  if (x === 0) return 0;
  if (y === 0) return 1;
  const tail = betaTail(x, y, a, b);
  const probability = Math.min(1, Math.exp(tail.logDensity) * tail.ratio);
  return tail.isUpper ? 1 - probability : probability;
}

export function checkShapes(name: string, a: number, b: number): void {
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity)) {
    throw new RangeError(`${name}: outside its domain; got a = ${a}, b = ${b}, expected both finite and above 0`);
  }
}
