import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkLevel, checkTrials } from "../check-arguments.js";
import { betaLogitQuantile, betaQuantile } from "../distributions/incomplete-beta.js";
import type { Interval } from "./proportion.js";

/**
 * Clopper–Pearson ("exact") interval of a proportion: the one to use where a guarantee is promised, because its
 * coverage is never below the level. k and n may be real, which Korn–Graubard intervals of clustered rows need.
 *
 * Formula: lower = BetaInv(α/2; k, n−k+1), 0 at k = 0; upper = BetaInv(1−α/2; k+1, n−k), 1 at k = n; α = 1 − level. The
 * one-sided bound at 1 − δ is the upper bound at level 1 − 2δ.
 * Range: within [0, 1], encloses k/n; both bounds rise with k.
 * Undefined when: n ≤ 0, k outside 0..n, level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Clopper and Pearson (1934), Biometrika 26:404-413
 * @example
 * clopperPearsonInterval(0, 10) // => { lower: 0, upper: 0.30849710781876083 }
 */
export function clopperPearsonInterval(k: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkTrials(k, n);
  checkLevel(level);
  const tail = (1 - level) / 2;
  return {
    lower: k === 0 ? 0 : betaQuantile(tail, k, n - k + 1),
    upper: k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k),
  };
}

/**
 * One-sided exact bound of a proportion: the rate is at most (at least) this with confidence 1 − δ. What a certificate
 * states.
 *
 * Formula: upper U = BetaInv(1−δ; k+1, n−k), 1 at k = n; lower L = BetaInv(δ; k, n−k+1), 0 at k = 0.
 * Range: [0, 1]; U ≥ k/n ≥ L; U ≤ r exactly when P(Bin(n, r) ≤ k) ≤ δ. k and n may be real.
 * Undefined when: n ≤ 0, k outside 0..n, δ outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no bounds.
 * @see Clopper and Pearson (1934), Biometrika 26:404-413
 * @example
 * clopperPearsonBound(0, 25, 0.05) // => 0.11293
 */
export function clopperPearsonBound(k: number, n: number, delta: number, side: "upper" | "lower" = "upper"): number {
  checkTrials(k, n);
  if (!(delta > 0 && delta < 1)) throw new RangeError(`delta: not an error rate; got ${delta}, expected 0 to 1`);
  if (side === "lower") return k === 0 ? 0 : betaQuantile(delta, k, n - k + 1);
  if (k === n) return 1;
  // 1 − δ is passed together with δ: a level of 1e-6 over thousands of communities would lose its digits in 1 − (1 − δ).
  return 1 / (1 + Math.exp(-betaLogitQuantile(1 - delta, delta, k + 1, n - k)));
}
