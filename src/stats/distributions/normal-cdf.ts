/** 1 / √(2π). */
export const NORMAL_DENSITY_AT_ZERO = 0.3989422804014327;

/**
 * Standard normal distribution function.
 *
 * Formula: |x| < 2.5: Φ(x) = ½ + φ(x) Σ_k x^{2k+1} / (1·3·…·(2k+1)); beyond: Φ(−t) = φ(t) / (t + 1/(t + 2/(t + 3/(t +
 * …)))).
 * Range: (0, 1), rising. Relative error below 1e-12 in both tails, down to 1e-300.
 * Undefined when: x is not a number: RangeError.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 7.6.2 and 7.9
 * @example
 * normalCdf(0) // => 0.5
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) throw new RangeError("normalCdf: outside its domain; got NaN, expected a number");
  if (Math.abs(x) < 2.5) return 0.5 + normalMassFromZero(x);
  return x < 0 ? normalUpperTail(-x) : 1 - normalUpperTail(x);
}

/** Φ(x) − ½, with full relative precision near 0. */
export function normalMassFromZero(x: number): number {
  const square = x * x;
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= square / odd;
    sum += term;
  }
  return NORMAL_DENSITY_AT_ZERO * Math.exp(-0.5 * square) * sum;
}

/** 1 − Φ(t) for t ≥ 2, with full relative precision far out. */
function normalUpperTail(t: number): number {
  return t > 40 ? 0 : (NORMAL_DENSITY_AT_ZERO * Math.exp(-0.5 * t * t)) / normalHazard(t);
}

/** φ(t) / (1 − Φ(t)) for t ≥ 2, by its continued fraction from the inside out: 300/t² + 10 levels reach 1e-15. */
export function normalHazard(t: number): number {
  let value = t;
  for (let k = Math.ceil(300 / (t * t)) + 10; k >= 1; k -= 1) value = t + k / value;
  return value;
}
