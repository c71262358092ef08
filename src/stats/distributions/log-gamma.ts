import { HALF_LN_TWO_PI, stirlingRemainder } from "./stirling-remainder.js";

/** 1 − γ, with Euler's constant γ. */
const ONE_MINUS_EULER = 0.42278433509846713;

/** ζ(k) − 1 for k = 2 … 26: with |d| ≤ 1/2 the first term left out is below 1e-17. */
const ZETA_MINUS_ONE = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645,
  0.0002460865533080483, 0.00012271334757848915, 6.124813505870483e-5, 3.058823630702049e-5, 1.528225940865187e-5,
  7.637197637899763e-6, 3.81729326499984e-6, 1.908212716553939e-6, 9.539620338727962e-7, 4.769329867878064e-7,
  2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
];

/** ln Γ(2 + d) for |d| ≤ 1/2. The series vanishes at d = 0 as the function does: the zero at x = 2 costs no digits. */
function logGammaNearTwo(d: number): number {
  let sum = 0;
  for (let i = ZETA_MINUS_ONE.length - 1; i >= 0; i -= 1) {
    const k = i + 2;
    sum = sum * -d + ZETA_MINUS_ONE[i]! / k;
  }
  return d * (ONE_MINUS_EULER + d * sum);
}

/**
 * Natural logarithm of the gamma function, the root of every beta and Student t probability here.
 *
 * Formula: ln Γ(2+d) = (1−γ)d + Σ_{k≥2} (−1)^k (ζ(k)−1) d^k / k for |d| ≤ 1/2; other x below 10 by ln Γ(x+1) = ln x +
 * ln Γ(x); from 10 on (x−½) ln x − x + ½ ln 2π + Stirling remainder.
 * Range: x > 0; the value is real, zero at 1 and 2, rising from x = 1.4616 on. Relative error below 1e-14.
 * Undefined when: x ≤ 0 or not a number: RangeError.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 5.7.3 and 5.11.1
 * @example
 * logGamma(5) // => 3.1780538303479458
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma: outside its domain; got x = ${x}, expected x > 0`);
  if (x >= 10) return x === Infinity ? Infinity : (x - 0.5) * Math.log(x) - x + HALF_LN_TWO_PI + stirlingRemainder(x);
  if (x < 0.5) return logGammaNearTwo(x) - Math.log(x * (1 + x));
  // log1p(x − 1): x − 1 is exact here, so the zero at x = 1 costs no digits either.
  if (x < 1.5) return logGammaNearTwo(x - 1) - Math.log1p(x - 1);
  let product = 1;
  let rest = x;
  while (rest > 2.5) {
    rest -= 1;
    product *= rest;
  }
  return logGammaNearTwo(rest - 2) + Math.log(product);
}
