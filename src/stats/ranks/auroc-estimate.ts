import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { normalQuantile } from "../distributions/normal-quantile.js";
import { wilsonInterval } from "../intervals/wilson-interval.js";

/** For each row of a class, how many of the other lie below it (positives) or above it (negatives), equal ones one half. */
export interface Placements {
  rows: number;
  sum: number;
  /** Sample variance of the counts. */
  variance: number;
}

/** Area under the ROC curve with DeLong's interval from the placements of both classes; see `auroc`. */
export function aurocEstimate(positives: Placements, negatives: Placements, level: number): Estimate {
  const m = positives.rows;
  const n = negatives.rows;
  if (m === 0 || n === 0) return undefinedEstimate(m === 0 ? "no positive rows" : "no negative rows", m + n);
  const estimate = positives.sum / (m * n);
  const variance = positives.variance / (m * n * n) + negatives.variance / (n * m * m);
  if (m === 1 || n === 1 || variance === 0 || estimate === 0 || estimate === 1) {
    const trials = Math.min(m, n);
    const method = "wilson on min(n_pos, n_neg) pseudo-trials, DeLong variance not estimable";
    return { estimate, ...wilsonInterval(estimate * trials, trials, level), level, method, n: m + n };
  }
  const half = (normalQuantile((1 + level) / 2) * Math.sqrt(variance)) / (estimate * (1 - estimate));
  const odds = estimate / (1 - estimate);
  const lower = 1 / (1 + Math.exp(half) / odds);
  const upper = 1 / (1 + Math.exp(-half) / odds);
  return { estimate, lower, upper, level, method: "DeLong, logit", n: m + n };
}
