/** 1 / √(2π). */
const NORMAL_DENSITY_AT_ZERO = 0.3989422804014327;

/**
 * Standard normal distribution function.
 *
 * Formula: |x| < 2.5: Φ(x) = ½ + φ(x) Σ_k x^{2k+1} / (1·3·…·(2k+1)); beyond: Φ(−t) = φ(t) / (t + 1/(t + 2/(t + 3/(t + …)))).
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

/** 1 − Φ(t) for t ≥ 2, with full relative precision far into the tail. */
function normalUpperTail(t: number): number {
  return t > 40 ? 0 : (NORMAL_DENSITY_AT_ZERO * Math.exp(-0.5 * t * t)) / normalHazard(t);
}

/** φ(t) / (1 − Φ(t)) for t ≥ 2, by its continued fraction, evaluated from the inside out: 300/t² + 10 levels reach 1e-15. */
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
  // Cached: a report asks for one level thousands of times.
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

/** Standard normal nodes from −9 to 9. The trapezoid rule converges exponentially: error below 1e-12 for sd ≤ 3, 1e-8 for sd ≤ 10. */
const STEP = 0.1;
const NODES = Float64Array.from({ length: 181 }, (_, i) => -9 + STEP * i);
const WEIGHTS = NODES.map((z) => (STEP * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI));

/**
 * Mean of a logit-normal distribution, that is, of a probability whose log-odds are normal.
 *
 * Formula: E[1/(1 + exp(−(m + s Z)))], Z standard normal, by the trapezoid rule on [−9, 9].
 * Range: (0, 1), rising in m; ½ at m = 0.
 * Undefined when: s is negative or one of the two is not finite: RangeError.
 * Differs from the paper: not in the paper.
 * @see Aitchison and Shen (1980), Biometrika 67:261-272
 * @example logitNormalMean(0, 2) // => 0.5
 */
export function logitNormalMean(location: number, sd: number): number {
  if (!(sd >= 0 && Number.isFinite(sd) && Number.isFinite(location))) {
    throw new RangeError(`logit-normal law: no such parameters; got location ${location} and sd ${sd}`);
  }
  let sum = 0;
  for (let i = 0; i < NODES.length; i++) sum += WEIGHTS[i]! / (1 + Math.exp(-(location + sd * NODES[i]!)));
  return sum;
}

/**
 * Location of the logit-normal distribution with the given mean.
 *
 * Formula: m with E[1/(1 + exp(−(m + s Z)))] = mean, by bisection.
 * Range: real, rising in the mean; 0 for a mean of ½; ln(mean/(1 − mean)) for s = 0.
 * Undefined when: the mean is not between 0 and 1, or s is not a standard deviation: RangeError.
 * Differs from the paper: not in the paper.
 * @see Aitchison and Shen (1980), Biometrika 67:261-272
 * @example logitNormalLocation(0.75, 0) // => 1.0986
 */
export function logitNormalLocation(mean: number, sd: number): number {
  if (!(mean > 0 && mean < 1)) throw new RangeError(`mean: not between 0 and 1; got ${mean}`);
  const logit = Math.log(mean) - Math.log1p(-mean);
  // A spread pulls the mean towards ½, so the location lies beyond the logit, by at most about (s² + 2)|logit| + s².
  const reach = (1 + sd * sd) * (1 + Math.abs(logit));
  let low = logit - reach;
  let high = logit + reach;
  for (let step = 0; step < 80 && high - low > 1e-13 * (1 + Math.abs(low)); step++) {
    const middle = (low + high) / 2;
    if (logitNormalMean(middle, sd) < mean) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
