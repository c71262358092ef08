/** 1 / √(2π). */
const NORMAL_DENSITY_AT_ZERO = 0.3989422804014327;

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
function normalMassFromZero(x: number): number {
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
function normalHazard(t: number): number {
  let value = t;
  for (let k = Math.ceil(300 / (t * t)) + 10; k >= 1; k -= 1) value = t + k / value;
  return value;
}

const MAX_STEPS = 100;
const LOG_DENSITY_AT_ZERO = Math.log(NORMAL_DENSITY_AT_ZERO);

/**
 * Standard normal quantile.
 *
 * Formula: x with Φ(x) = p, by Newton: on Φ(x) − ½ for |p − ½| ≤ 0.49, on ln(1 − Φ) in the tails.
 * Why: both functions are concave towards the root and the start lies on the safe side, so every step approaches it.
 * Range: real, rising in p, antisymmetric about p = ½. Relative error below 1e-12, near p = ½ too.
 * Undefined when: p outside [0, 1]: RangeError. p = 0 and p = 1 give −Infinity and Infinity.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 7.17
 * @example
 * normalQuantile(0.975) // => 1.9599639845400538
 */
export function normalQuantile(p: number): number {
  // A report asks for one level thousands of times.
  if (p !== last.p) last = { p, x: quantile(p) };
  return last.x;
}

let last = { p: 0.5, x: 0 };

function quantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`normalQuantile: outside its domain; got p = ${p}, expected 0 to 1`);
  const fromHalf = p - 0.5;
  if (Math.abs(fromHalf) <= 0.49) return Math.sign(fromHalf) * centre(Math.abs(fromHalf));
  return p < 0.5 ? -tail(p) : tail(1 - p);
}

/** x ≥ 0 with Φ(x) − ½ = mass. */
function centre(mass: number): number {
  let x = mass / NORMAL_DENSITY_AT_ZERO;
  for (let i = 0; i < MAX_STEPS; i += 1) {
    const density = NORMAL_DENSITY_AT_ZERO * Math.exp(-0.5 * x * x);
    const step = (mass - normalMassFromZero(x)) / density;
    x += step;
    if (Math.abs(step) <= 1e-14 * x) break;
  }
  return x;
}

/** t with 1 − Φ(t) = p for p < 0.01. The start √(−2 ln 2p) is too large, because 1 − Φ(t) ≤ ½ exp(−t²/2). */
function tail(p: number): number {
  if (p === 0) return Infinity;
  const logP = Math.log(p);
  let t = Math.sqrt(-2 * (logP + Math.LN2));
  for (let i = 0; i < MAX_STEPS; i += 1) {
    const hazard = normalHazard(t);
    const logTail = LOG_DENSITY_AT_ZERO - 0.5 * t * t - Math.log(hazard);
    const step = (logTail - logP) / hazard;
    t += step;
    if (Math.abs(step) <= 1e-14 * t) break;
  }
  return t;
}
