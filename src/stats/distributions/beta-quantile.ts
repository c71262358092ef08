import { betaLogScale, betaTail } from "./beta-tail.js";
import { checkShapes } from "./incomplete-beta.js";
import { normalQuantile } from "./normal.js";

const MAX_STEPS = 200;
/** e^−700 is near the smallest double: further left every quantile is 0. */
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
