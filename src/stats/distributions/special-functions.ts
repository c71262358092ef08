/** ½ ln 2π. */
export const HALF_LN_TWO_PI = 0.9189385332046728;

/** B_{2j} / (2j(2j−1)) for j = 1 … 7: from z = 10 on, the first omitted term is below 3e-17. */
const COEFFICIENTS = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];

/**
 * The remainder of Stirling's formula for ln Γ. Differences of it stay exact where differences of ln Γ would lose all
 * digits, so beta functions of large counts are built from it.
 *
 * Formula: Δ(z) = ln Γ(z) − [(z−½) ln z − z + ½ ln 2π] ≈ Σ_j B_{2j} / (2j(2j−1) z^{2j−1}); below z = 10 it is lifted by
 * Δ(z) = Δ(z+1) + (z+½) ln(1+1/z) − 1.
 * Range: Δ > 0, falling to 0 as z grows.
 * Undefined when: never for z > 0, the only arguments it is given.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 5.11.1
 * @example
 * stirlingRemainder(100) // => 0.0008333305556349147
 */
export function stirlingRemainder(z: number): number {
  let lifted = z;
  let below = 0;
  while (lifted < 10) {
    below += (lifted + 0.5) * Math.log1p(1 / lifted) - 1;
    lifted += 1;
  }
  const w = 1 / (lifted * lifted);
  let sum = 0;
  for (let j = COEFFICIENTS.length - 1; j >= 0; j -= 1) sum = sum * w + COEFFICIENTS[j]!;
  return sum / lifted + below;
}

/** 1 − γ, with Euler's constant γ. */
const ONE_MINUS_EULER = 0.42278433509846713;

/** ζ(k) − 1 for k = 2 … 26: with |d| ≤ 1/2 the first omitted term is below 1e-17. */
const ZETA_MINUS_ONE = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645,
  0.0002460865533080483, 0.00012271334757848915, 6.124813505870483e-5, 3.058823630702049e-5, 1.528225940865187e-5,
  7.637197637899763e-6, 3.81729326499984e-6, 1.908212716553939e-6, 9.539620338727962e-7, 4.769329867878064e-7,
  2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
];

/** ln Γ(2 + d) for |d| ≤ 1/2. The series vanishes at d = 0, as the function does: the zero at x = 2 costs no digits. */
function logGammaNearTwo(d: number): number {
  let sum = 0;
  for (let i = ZETA_MINUS_ONE.length - 1; i >= 0; i -= 1) {
    const k = i + 2;
    sum = sum * -d + ZETA_MINUS_ONE[i]! / k;
  }
  return d * (ONE_MINUS_EULER + d * sum);
}

/**
 * Natural logarithm of the gamma function, from which every beta and Student t probability here is computed.
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

/**
 * Natural logarithm of the beta function, the normaliser of beta and beta-binomial likelihoods.
 *
 * Formula: ln B(a, b) = ln Γ(a) + ln Γ(b) − ln Γ(a+b). With the larger argument from 10 on the three terms nearly
 * cancel, so their common part is taken out first and only Stirling remainders Δ are subtracted.
 * Range: any real number; falls in a and in b.
 * Undefined when: a ≤ 0 or b ≤ 0: RangeError.
 * Differs from the paper: not in the paper.
 * @see DiDonato and Morris (1992), ACM Transactions on Mathematical Software 18:360-373 (BCORR)
 * @example
 * logBeta(2, 3) // => -2.4849066497880004
 */
export function logBeta(a: number, b: number): number {
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity)) {
    throw new RangeError(`logBeta: outside its domain; got a = ${a}, b = ${b}, expected both finite and above 0`);
  }
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  const sum = small + large;
  if (large < 10) return logGamma(small) + logGamma(large) - logGamma(sum);
  const correction = stirlingRemainder(large) - stirlingRemainder(sum);
  const logLargeShare = Math.log1p(-small / sum);
  if (small < 10) {
    return logGamma(small) + correction + small - small * Math.log(sum) + (large - 0.5) * logLargeShare;
  }
  const logSmallShare = Math.log(small / sum);
  const head = HALF_LN_TWO_PI - 0.5 * Math.log(large) + stirlingRemainder(small) + correction;
  return head + (small - 0.5) * logSmallShare + large * logLargeShare;
}

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

/** From here on, eight terms of the asymptotic series are exact to the last digit. */
const SERIES_FROM = 10;

/**
 * Digamma function ψ(x), the derivative of ln Γ(x). Mean logarithms under a Dirichlet distribution are differences of it.
 *
 * Formula: ψ(x) = ψ(x + 1) − 1/x up to x ≥ 10, then ln x − 1/(2x) − Σ B_2k / (2k x^2k).
 * Range: all real numbers; relative error below 1e-13 away from its root at 1.4616.
 * Undefined when: x ≤ 0 or not finite: RangeError.
 * Differs from the paper: not in the paper.
 * @see Abramowitz and Stegun (1964), 6.3.5 and 6.3.18
 * @example
 * digamma(2) - digamma(1) // => 1
 */
export function digamma(x: number): number {
  if (!(x > 0 && x < Infinity)) throw new RangeError(`digamma: not defined; got x = ${x}, expected a number above 0`);
  let shift = 0;
  let y = x;
  while (y < SERIES_FROM) shift -= 1 / y++;
  const r = 1 / (y * y);
  const tail =
    r *
    (1 / 12 -
      r *
        (1 / 120 -
          r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * (691 / 32760 - r * (1 / 12 - r * (3617 / 8160))))))));
  return shift + Math.log(y) - 0.5 / y - tail;
}

/** From here on, eight terms of the asymptotic series are exact to the last digit. */
const TRIGAMMA_SERIES_FROM = 10;

/**
 * Trigamma function ψ₁(x), the second derivative of ln Γ(x). Variances of logarithms under a Dirichlet distribution are built from it.
 *
 * Formula: ψ₁(x) = ψ₁(x + 1) + 1/x² up to x ≥ 10, then 1/x + 1/(2x²) + Σ B_2k / x^(2k+1).
 * Range: above 0, falling; relative error below 1e-13.
 * Undefined when: x ≤ 0 or not finite: RangeError.
 * Differs from the paper: not in the paper.
 * @see Abramowitz and Stegun (1964), 6.4.6 and 6.4.12
 * @example
 * trigamma(1) // => 1.644934
 */
export function trigamma(x: number): number {
  if (!(x > 0 && x < Infinity)) throw new RangeError(`trigamma: not defined; got x = ${x}, expected a number above 0`);
  let shift = 0;
  let y = x;
  while (y < TRIGAMMA_SERIES_FROM) {
    shift += 1 / (y * y);
    y++;
  }
  const r = 1 / (y * y);
  const tail =
    r *
    (1 / 6 -
      r * (1 / 30 - r * (1 / 42 - r * (1 / 30 - r * (5 / 66 - r * (691 / 2730 - r * (7 / 6 - r * (3617 / 510))))))));
  return shift + (1 + 0.5 / y + tail) / y;
}

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

/**
 * Logarithm of a sum of exponentials: adds probabilities that are given as logprobs.
 *
 * Formula: ln Σ exp(v_i) = m + ln Σ exp(v_i − m), m = max v. Taking m out prevents overflow and the loss of all digits below e^−745.
 * Range: at least max v, at most max v + ln k.
 * Undefined when: never; the sum of nothing is 0, so no values give −Infinity. RangeError when a value is NaN.
 * Differs from the paper: not in the paper.
 * @see Blanchard, Higham and Higham (2021), IMA Journal of Numerical Analysis 41:2311-2330
 * @example
 * logSumExp([-1000, -1000]) // => -999.3068528194401
 */
export function logSumExp(values: ArrayLike<number>): number {
  let max = -Infinity;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) throw new RangeError(`values: not a number; got NaN at index ${i}, expected logarithms`);
    if (value > max) max = value;
  }
  if (max === -Infinity || max === Infinity) return max;
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += Math.exp(values[i]! - max);
  return max + Math.log(sum);
}
