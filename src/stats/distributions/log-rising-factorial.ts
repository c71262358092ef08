import { logGamma } from "./log-gamma.js";
import { stirlingRemainder } from "./stirling-remainder.js";

/**
 * Logarithm of a(a+1)…(a+k−1): the part of a beta-binomial likelihood that one kind of outcome contributes.
 *
 * Formula: ln Γ(a+k) − ln Γ(a); from a = 10 on k ln(a+k) + (a−½) ln(1+k/a) − k + Δ(a+k) − Δ(a) with Stirling remainders
 * Δ, because the two ln Γ of a concentration of 100,000 cancel to an error of 1e-10.
 * Range: any real number; 0 at k = 0; rises in a. k may be fractional.
 * Undefined when: a ≤ 0 or k < 0: RangeError.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 5.2.5
 * @example
 * logRisingFactorial(2, 3) // => 3.1780538303479458
 */
export function logRisingFactorial(a: number, k: number): number {
  if (!(a > 0 && k >= 0)) {
    throw new RangeError(`logRisingFactorial: outside its domain; got a = ${a}, k = ${k}, expected a > 0, k ≥ 0`);
  }
  if (k === 0) return 0;
  if (k === 1) return Math.log(a);
  if (a < 10) return logGamma(a + k) - logGamma(a);
  return k * Math.log(a + k) + (a - 0.5) * Math.log1p(k / a) - k + stirlingRemainder(a + k) - stirlingRemainder(a);
}
