import { checkTrials } from "../check-arguments.js";
import { betaLogitQuantile, betaQuantile } from "../distributions/beta-quantile.js";

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
  // 1 − δ is passed beside δ: a level of 1e-6 over thousands of communities would lose its digits in 1 − (1 − δ).
  return 1 / (1 + Math.exp(-betaLogitQuantile(1 - delta, delta, k + 1, n - k)));
}
