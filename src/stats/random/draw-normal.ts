import { stirlingRemainder } from "../distributions/special-functions.js";
import type { FastUniform, Rng } from "./create-rng.js";

/**
 * A standard normal random number.
 *
 * Formula: √(−2 ln(1 − U)) cos(2πV), U and V uniform; the second number of the pair is discarded, so each call uses two uniforms.
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

/**
 * A beta-distributed random probability: the rate of one community around its kind's mean.
 *
 * Formula: X/(X + Y), X ~ Gamma(a), Y ~ Gamma(b), by Marsaglia and Tsang's squeeze; shapes below 1 are drawn at shape + 1 and multiplied
 * by U^(1/shape).
 * Range: [0, 1]; mean a/(a + b), variance ab/((a + b)²(a + b + 1)).
 * Undefined when: a or b is negative or not finite: RangeError. a = 0 gives 0, b = 0 gives 1: the distribution's limits.
 * Differs from the paper: not in the paper.
 * @see Marsaglia and Tsang (2000), ACM Transactions on Mathematical Software 26:363-372
 * @example
 * drawBeta(0, 2, { next: () => 0.5 }) // => 0
 */
export function drawBeta(a: number, b: number, rng: Pick<Rng, "next">): number {
  if (!(a >= 0 && b >= 0 && a + b > 0 && Number.isFinite(a + b))) {
    throw new RangeError(`beta law: no such shapes; got ${a} and ${b}, expected two numbers of at least 0, not both 0`);
  }
  if (a === 0) return 0;
  if (b === 0) return 1;
  for (;;) {
    const x = drawGamma(a, rng);
    const y = drawGamma(b, rng);
    // Both underflow only for tiny shapes.
    if (x + y > 0) return x / (x + y);
  }
}

function drawGamma(shape: number, rng: Pick<Rng, "next">): number {
  if (shape < 1) return drawGamma(shape + 1, rng) * (1 - rng.next()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(rng);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(1 - rng.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

const UNIT = 2 ** -32;

/**
 * A binomial random number: successes in n trials, in time that does not grow with n.
 *
 * Formula: np < 10: the first k whose cumulative probability exceeds a uniform number. Otherwise transformed rejection:
 * k = ⌊(2a/(½ − |u|) + b) u + np + ½⌋, accepted by comparison with the density. For p > ½ failures are counted.
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
    // Two numbers for 53 bits: 32 bits could not reach the far tail.
    let rest = (uniform() + uniform() * UNIT) * UNIT;
    let probability = Math.exp(n * Math.log1p(-p));
    for (let k = 0; k <= n; k += 1) {
      if (rest < probability) return k;
      rest -= probability;
      probability *= (odds * (n - k)) / (k + 1);
    }
    // Reached only through rounding.
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

/** ln P(k) − ln P(m), m the mode. Only the remainders of Stirling's formula are left, so nothing cancels at large n. */
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
