import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkLevel, checkTrials } from "../check-arguments.js";
import { betaQuantile } from "../distributions/beta-quantile.js";
import type { Interval } from "./interval.js";

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
