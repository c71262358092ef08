import { stirlingRemainder } from "../distributions/log-gamma.js";
import type { FastUniform } from "./create-rng.js";

const UNIT = 2 ** -32;

/**
 * A random number of successes in n trials, in a time that does not grow with n.
 *
 * Formula: np < 10: the first k whose cumulated probability exceeds a uniform number. Otherwise transformed rejection:
 * k = ⌊(2a/(½ − |u|) + b) u + np + ½⌋, kept by comparing with the density. p > ½ counts failures.
 * Range: 0 … n.
 * Undefined when: n is not a count or p lies outside [0, 1]: RangeError.
 * Differs from the paper: not in the paper.
 * @see Hörmann (1993), Journal of Statistical Computation and Simulation 46:101-110, algorithm BTRS
 * @example
 * drawBinomial(7, 1, () => 0) // => 7
 */
export function drawBinomial(n: number, p: number, uniform: FastUniform): number {
  if (!(Number.isInteger(n) && n >= 0)) throw new RangeError(`trials: not a count; got ${n}`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`p: not a probability; got ${p}, expected 0 to 1`);
  if (p > 0.5) return n - drawBinomial(n, 1 - p, uniform);
  if (n === 0 || p === 0) return 0;
  return n * p < 10 ? byInversion(n, p, uniform) : byRejection(n, p, uniform);
}

function byInversion(n: number, p: number, uniform: FastUniform): number {
  const odds = p / (1 - p);
  for (;;) {
    // Two numbers for 53 bits: with 32 the far tail could not be reached.
    let rest = (uniform() + uniform() * UNIT) * UNIT;
    let probability = Math.exp(n * Math.log1p(-p));
    for (let k = 0; k <= n; k += 1) {
      if (rest < probability) return k;
      rest -= probability;
      probability *= (odds * (n - k)) / (k + 1);
    }
    // Reached by rounding only.
  }
}

function byRejection(n: number, p: number, uniform: FastUniform): number {
  const sd = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * sd;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const accepted = 0.92 - 4.2 / b;
  for (;;) {
    const u = (uniform() + 0.5) * UNIT - 0.5;
    const v = (uniform() + 0.5) * UNIT;
    const edge = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / edge + b) * u + n * p + 0.5);
    if (edge >= 0.07 && v <= accepted) return k;
    if (k < 0 || k > n) continue;
    const scaled = (v * (2.83 + 5.1 / b) * sd) / (a / (edge * edge) + b);
    if (Math.log(scaled) <= logDensityOverMode(n, p, k)) return k;
  }
}

/** ln P(k) − ln P(m), m the mode; Stirling's formula leaves only its remainders, so that nothing cancels at large n. */
function logDensityOverMode(n: number, p: number, k: number): number {
  const odds = p / (1 - p);
  const m = Math.floor((n + 1) * p);
  return (
    (m + 0.5) * Math.log((m + 1) / (odds * (n - m + 1))) +
    (n + 1) * Math.log((n - m + 1) / (n - k + 1)) +
    (k + 0.5) * Math.log((odds * (n - k + 1)) / (k + 1)) +
    stirlingRemainder(m + 1) +
    stirlingRemainder(n - m + 1) -
    stirlingRemainder(k + 1) -
    stirlingRemainder(n - k + 1)
  );
}
