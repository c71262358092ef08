import { normalCdf } from "../../../stats/distributions/normal-cdf.js";

export interface SpiegelhalterTest {
  /** Positive: outcomes are less extreme than the scores claim (overconfident); negative: more. */
  z: number | null;
  /** Two-sided. */
  p: number | null;
  reason?: string;
}

/**
 * Spiegelhalter's test of calibration: could outcomes drawn from these very scores have this Brier score?
 *
 * Formula: z = Σ(y − s)(1 − 2s) / √Σ(1 − 2s)² s(1 − s), N(0, 1) under y ~ Bernoulli(s).
 * With weights each row adds w times as much to the sum and w² to the variance.
 * Range: real; |z| > 1.96 speaks against calibration at the 5 % level. With many rows any small error is significant:
 * look at the calibration error for its size. Blind to errors that leave the Brier score as expected.
 * Undefined when: every score is 0, ½ or 1, where the statistic has no variance: null with a reason.
 * Differs from the paper: not in the paper.
 * @see Spiegelhalter (1986), Statistics in Medicine 5:421-433
 * @example
 * spiegelhalterTest([0.2, 0.7], [1, 0]).z // => 2.516611478
 */
export function spiegelhalterTest(
  scores: ArrayLike<number>,
  targets: ArrayLike<number>,
  weights: ArrayLike<number> | null = null,
): SpiegelhalterTest {
  let sum = 0;
  let variance = 0;
  for (let i = 0; i < scores.length; i += 1) {
    const score = scores[i]!;
    const slope = (weights ? weights[i]! : 1) * (1 - 2 * score);
    sum += (targets[i]! - score) * slope;
    variance += slope * slope * score * (1 - score);
  }
  if (variance === 0) {
    return { z: null, p: null, reason: scores.length === 0 ? "no rows" : "every score is 0, ½ or 1" };
  }
  const z = sum / Math.sqrt(variance);
  return { z, p: 2 * normalCdf(-Math.abs(z)) };
}
