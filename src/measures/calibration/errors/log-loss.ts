import { checkScores } from "../../../stats/check-arguments.js";
import { LOG_CLIP } from "../../signals/inverse-log-odds.js";

/**
 * Loss of knowing nothing but the base rate: what any score must beat.
 *
 * Formula: −p ln p − (1 − p) ln(1 − p), p = k/n, in nats.
 * Range: [0, ln 2]; 0 for one class.
 * Undefined when: n = 0: null.
 * Differs from the paper: not in the paper, whose loss of 0.3127 stands beside 0.381 by this measure.
 * @example
 * baseRateEntropy(1, 2) // => 0.6931471805599453
 */
export function baseRateEntropy(k: number, n: number): number | null {
  if (n === 0) return null;
  if (k === 0 || k === n) return 0;
  const p = k / n;
  return -p * Math.log(p) - (1 - p) * Math.log1p(-p);
}

export interface LogLoss {
  /** Nats per row. */
  value: number | null;
  /** Rows whose outcome had a probability below the clip: the value stands on the clip there. */
  clipped: number;
}

/**
 * Log-loss of scores: the surprise at the outcomes, in nats per row.
 *
 * Formula: mean of −ln s for y = 1 and −ln(1 − s) for y = 0; probabilities below 10⁻¹² count as 10⁻¹² inside the
 * logarithm, and are counted.
 * Range: [0, 27.6], lower is better; compare with the base-rate entropy.
 * Undefined when: no rows: null. RangeError when a score is outside [0, 1], an outcome is not 0 or 1, or the lengths differ.
 * Differs from the paper: its loss of S at given weights is this, but for ε (`paperLoss`).
 * @example
 * logLoss([0.5, 0.25], [1, 0]) // => { value: 0.4904146265058631, clipped: 0 }
 */
export function logLoss(
  scores: ArrayLike<number>,
  targets: ArrayLike<number>,
  weights: ArrayLike<number> | null = null,
): LogLoss {
  checkScores(scores, targets);
  if (weights) return weightedLoss(scores, targets, weights);
  let sum = 0;
  let clipped = 0;
  // One logarithm for many rows; a factor is no smaller than the clip, so the product cannot underflow between two looks.
  let product = 1;
  for (let i = 0; i < scores.length; i += 1) {
    let probability = targets[i] === 1 ? scores[i]! : 1 - scores[i]!;
    if (probability < LOG_CLIP) {
      probability = LOG_CLIP;
      clipped += 1;
    }
    product *= probability;
    if (product < 1e-200) {
      sum -= Math.log(product);
      product = 1;
    }
  }
  sum -= Math.log(product);
  // −0 where every outcome was certain.
  return { value: scores.length === 0 ? null : sum / scores.length + 0, clipped };
}

function weightedLoss(scores: ArrayLike<number>, targets: ArrayLike<number>, weights: ArrayLike<number>): LogLoss {
  let [sum, total, clipped] = [0, 0, 0];
  for (let i = 0; i < scores.length; i += 1) {
    const probability = targets[i] === 1 ? scores[i]! : 1 - scores[i]!;
    if (probability < LOG_CLIP) clipped += 1;
    sum -= weights[i]! * Math.log(Math.max(probability, LOG_CLIP));
    total += weights[i]!;
  }
  return { value: total === 0 ? null : sum / total + 0, clipped };
}
