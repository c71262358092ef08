import { checkCount, checkTrials } from "../check-arguments.js";
import { normalCdf, normalQuantile } from "./normal.js";
import { HALF_LN_TWO_PI, logBeta, stirlingRemainder } from "./special-functions.js";

/**
 * Regularised incomplete beta function: the probability that a Beta(a, b) variable is at most x. Binomial tails,
 * Student t probabilities and Clopper–Pearson bounds are values of it.
 *
 * Formula: I_x(a, b) = ∫_0^x t^{a−1} (1−t)^{b−1} dt / B(a, b).
 * Range: [0, 1]; rises in x and b, falls in a. Relative error below 1e-12 (the smaller tail is computed, never 1 − larger).
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

function checkShapes(name: string, a: number, b: number): void {
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity)) {
    throw new RangeError(`${name}: outside its domain; got a = ${a}, b = ${b}, expected both finite and above 0`);
  }
}

/** One tail of a beta distribution: probability = exp(logDensity) · ratio. */
export interface BetaTail {
  /** ln(x^a (1−x)^b / B(a,b)): the density of the logit of the variable, at logit x. */
  readonly logDensity: number;
  /** Tail probability divided by that density; kept separate so that a tail below 1e-308 still has a logarithm. */
  readonly ratio: number;
  /** Whether the tail is the upper one, P(X > x). */
  readonly isUpper: boolean;
}

const TOLERANCE = 4e-16;
const TINY = 1e-300;
/** Only a guard: counts of 10^15 converge within it, in milliseconds. */
const MAX_TAIL_STEPS = 1_000_000;

/** The part of ln(x^a y^b / B(a,b)) that does not depend on x; see `betaTail`. */
function betaLogScale(a: number, b: number): number {
  const sum = a + b;
  const shape = 0.5 * (Math.log(a / sum) + Math.log(b)) - HALF_LN_TWO_PI;
  return shape + stirlingRemainder(sum) - stirlingRemainder(a) - stirlingRemainder(b);
}

/**
 * The tail of the Beta(a, b) distribution on the side of x away from its mean, from x and y = 1 − x. Both are arguments
 * because 1 − x computed from x has lost its digits when x is near 1.
 *
 * Formula: density x^a y^b / B(a,b) = √(ab/2πn) exp(a L(e/a) + b L(−e/b) + Δ(n) − Δ(a) − Δ(b)), n = a+b, e = xb − ya, L(u) = ln(1+u) − u; tail =
 * density / K with the continued fraction K of DiDonato and Morris (the even part of DLMF 8.17.22).
 * Why: a ln x + b ln y − ln B cancels to an error of n·1e-16, so 1e-10 at a million rows; both L terms are ≤ 0 and cannot cancel.
 * Range: 0 < ratio; the tail lies in [0, 1].
 * Undefined when: x or y is 0 (the callers answer these themselves).
 * Differs from the paper: not in the paper.
 * @see DiDonato and Morris (1992), ACM Transactions on Mathematical Software 18:360-373 (BFRAC)
 * @example
 * betaTail(0.25, 0.75, 1, 1).ratio // => 1.3333333333333333
 */
export function betaTail(x: number, y: number, a: number, b: number, logScale = betaLogScale(a, b)): BetaTail {
  const sum = a + b;
  const e = x * b - y * a;
  const logDensity = logScale + deviation(a, e, x, sum) + deviation(b, -e, y, sum);
  const isUpper = x > (a + 1) / (sum + 2);
  const fraction = isUpper ? continuedFraction(y, x, b, a, e) : continuedFraction(x, y, a, b, -e);
  return { logDensity, ratio: 1 / fraction, isUpper };
}

/** w · (ln(share · sum / w) − e/w), where share · sum / w = 1 + e/w. */
function deviation(w: number, e: number, share: number, sum: number): number {
  const u = e / w;
  if (Math.abs(u) > 0.4) return w * Math.log(share / (w / sum)) - e;
  // ln(1+u) − u = r (2r²(1/3 + r²/5 + r⁴/7 + …) − u) with r = u / (2+u), |r| ≤ 1/4: twelve terms reach 1e-17.
  const r = u / (2 + u);
  const square = r * r;
  let series = 0;
  for (let odd = 25; odd >= 3; odd -= 2) series = series * square + 1 / odd;
  return w * r * (2 * square * series - u);
}

/**
 * Density over tail, b0 + a1/(b1 + a2/(b2 + …)), by the modified Lentz method. `lambda` = ay − bx is passed in because
 * a − (a+b)x computed from x alone loses its digits when x is near 1.
 */
function continuedFraction(x: number, y: number, a: number, b: number, lambda: number): number {
  let value = notZero((a * (lambda + 1)) / (a + 1));
  let c = value;
  let d = 0;
  for (let m = 1; m <= MAX_TAIL_STEPS; m += 1) {
    const at = a + 2 * m;
    const step = (m * (b - m) * x) / (at - 1);
    const numerator = (((a + m - 1) * (a + b + m - 1)) / (at - 1)) * x * step;
    const denominator = m + step + ((a + m) * (lambda + 1 + m * (1 + y))) / (at + 1);
    d = 1 / notZero(denominator + numerator * d);
    c = notZero(denominator + numerator / c);
    const change = d * c;
    value *= change;
    if (Math.abs(change - 1) <= TOLERANCE) return value;
  }
  throw new RangeError(`incompleteBeta: too many steps; got a = ${a}, b = ${b}, expected counts up to 1e15`);
}

function notZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

const MAX_STEPS = 200;
/** e^−700 is near the smallest double: below it every quantile is 0. */
const LOWEST_LOGIT = -700;

/**
 * Quantile of the Beta(a, b) distribution: the x below which its mass is p. Exact binomial bounds are beta quantiles.
 *
 * Formula: x with I_x(a, b) = p, by Newton on ln I as a function of logit x, in the tail that holds at most one half.
 * Why: the logit of a beta variable has a log-concave law for every a, b > 0, so ln I is concave and increasing and
 * Newton cannot diverge or cycle: after its first step it climbs to the root from one side.
 * Range: [0, 1]; rises in p and a, falls in b. Relative error below 1e-12.
 * Undefined when: p outside [0, 1], or a, b not finite and positive: RangeError.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 8.17
 * @example
 * betaQuantile(0.025, 3, 23) // => 0.025465396647733205
 */
export function betaQuantile(p: number, a: number, b: number): number {
  checkShapes("betaQuantile", a, b);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`betaQuantile: outside its domain; got p = ${p}, expected 0 to 1`);
  if (p === 0 || p === 1) return p;
  const logit = betaLogitQuantile(p, 1 - p, a, b);
  return logit < 0 ? Math.exp(logit) / (1 + Math.exp(logit)) : 1 / (1 + Math.exp(-logit));
}

/** Logit of the quantile, from p and q = 1 − p, both above 0. */
export function betaLogitQuantile(p: number, q: number, a: number, b: number): number {
  return p <= q ? lowerLogitQuantile(p, a, b) : -lowerLogitQuantile(q, b, a);
}

function lowerLogitQuantile(p: number, a: number, b: number): number {
  const logP = Math.log(p);
  const logScale = betaLogScale(a, b);
  const start = Math.log(a / b) + normalQuantile(p) * Math.sqrt(1 / a + 1 / b);
  let logit = Math.max(LOWEST_LOGIT, Math.min(-LOWEST_LOGIT, start));
  for (let i = 0; i < MAX_STEPS; i += 1) {
    const odds = Math.exp(-Math.abs(logit));
    const near = odds / (1 + odds);
    const far = 1 / (1 + odds);
    const tail = logit < 0 ? betaTail(near, far, a, b, logScale) : betaTail(far, near, a, b, logScale);
    const step = tail.isUpper
      ? stepFromUpper(tail.logDensity, tail.ratio, logP)
      : (tail.logDensity + Math.log(tail.ratio) - logP) * tail.ratio;
    const next = Math.max(LOWEST_LOGIT, Math.min(-LOWEST_LOGIT, logit - step));
    const moved = Math.abs(next - logit);
    logit = next;
    if (moved <= 1e-14 * Math.max(1, Math.abs(logit))) break;
  }
  return logit;
}

function stepFromUpper(logDensity: number, ratio: number, logP: number): number {
  const density = Math.exp(logDensity);
  const upper = Math.min(density * ratio, 1 - Number.EPSILON);
  return ((Math.log1p(-upper) - logP) * (1 - upper)) / density;
}

/**
 * Probability of exactly k successes in n trials.
 *
 * Formula: C(n, k) p^k (1−p)^{n−k}, with C(n, k) = 1 / ((n+1) B(k+1, n−k+1)), in logarithms.
 * Range: [0, 1]; sums to 1 over k.
 * Undefined when: k or n are not counts with k ≤ n, n = 0, or p lies outside [0, 1]: RangeError.
 * Differs from the paper: not in the paper.
 * @example
 * binomialPmf(1, 2, 0.5) // => 0.5
 */
export function binomialPmf(k: number, n: number, p: number): number {
  checkCount("successes", k);
  checkCount("trials", n);
  checkTrials(k, n);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`p: not a probability; got ${p}, expected 0 to 1`);
  if (p === 0) return k === 0 ? 1 : 0;
  if (p === 1) return k === n ? 1 : 0;
  return Math.exp(k * Math.log(p) + (n - k) * Math.log1p(-p) - Math.log(n + 1) - logBeta(k + 1, n - k + 1));
}

/**
 * Probability of at most k successes in n trials: the p-value of "the rate is at least p" after seeing k.
 *
 * Formula: P(X ≤ k) = I_{1−p}(n − k, k + 1), X ~ Bin(n, p).
 * Range: [0, 1]; falls with p, rises with k; 1 at k = n.
 * Undefined when: k or n are not counts with k ≤ n, or p lies outside [0, 1]: RangeError.
 * Differs from the paper: not in the paper.
 * @example
 * binomialCdf(0, 2, 0.5) // => 0.25
 */
export function binomialCdf(k: number, n: number, p: number): number {
  checkCount("successes", k);
  checkCount("trials", n);
  if (k > n) throw new RangeError(`successes: outside 0 to n; got k = ${k} of n = ${n}, expected 0 ≤ k ≤ n`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`p: not a probability; got ${p}, expected 0 to 1`);
  if (k === n || p === 0) return 1;
  if (p === 1) return 0;
  return lowerTail(1 - p, p, n - k, k + 1);
}

/**
 * Student t quantile: the factor of intervals whose variance was estimated from few clusters or rows.
 *
 * Formula: for p < ½, t = −√(df (1−x)/x) = −√df · exp(−logit(x)/2), with x the 2p quantile of Beta(df/2, ½).
 * Range: real, rising in p, antisymmetric about p = ½. Relative error below 1e-12.
 * Undefined when: p outside [0, 1] or df ≤ 0: RangeError. p = 0 and p = 1 give −Infinity and Infinity; df = Infinity is normal.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 8.17; Abramowitz and Stegun, 26.7.1
 * @example
 * studentTQuantile(0.975, 10) // => 2.2281388519862744
 */
export function studentTQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1 && df > 0)) {
    throw new RangeError(
      `studentTQuantile: outside its domain; got p = ${p}, df = ${df}, expected p in 0..1 and df > 0`,
    );
  }
  if (df === Infinity) return normalQuantile(p);
  if (p === 0.5) return 0;
  if (p > 0.5) return -studentTQuantile(1 - p, df);
  if (p === 0) return -Infinity;
  return -Math.sqrt(df) * Math.exp(-0.5 * betaLogitQuantile(2 * p, 2 * (0.5 - p), df / 2, 0.5));
}

/**
 * Student t distribution function, for intervals and p-values that rest on few clusters or rows.
 *
 * Formula: P(T ≤ −|t|) = ½ I_x(df/2, ½) with x = df / (df + t²); 1 minus it for t > 0.
 * Range: (0, 1), rising in t. Relative error below 1e-12 in the lower tail.
 * Undefined when: t is not a number or df ≤ 0: RangeError. df = Infinity is the normal distribution.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 8.17; Abramowitz and Stegun, 26.7.1
 * @example
 * studentTCdf(0, 5) // => 0.5
 */
export function studentTCdf(t: number, df: number): number {
  if (Number.isNaN(t) || !(df > 0)) {
    throw new RangeError(`studentTCdf: outside its domain; got t = ${t}, df = ${df}, expected a number and df > 0`);
  }
  if (df === Infinity) return normalCdf(t);
  const square = t * t;
  if (square === Infinity) return t < 0 ? 0 : 1;
  const tail = 0.5 * lowerTail(df / (df + square), square / (df + square), df / 2, 0.5);
  return t < 0 ? tail : 1 - tail;
}
