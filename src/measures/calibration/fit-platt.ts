import type { PlattModel } from "./calibration-model.js";
import { logDefensibleMatrix, targetsOf } from "./features.js";
import { ridgeLogistic } from "./ridge-logistic.js";
import type { ScoreColumns } from "./score-columns.js";
import { standardise } from "./standardise.js";

/** Only keeps the optimum finite where the classes do not overlap; too small to be seen elsewhere. On standardised features. */
export const FINITE_OPTIMUM_L2 = 1e-6;

/**
 * Platt scaling: a line in the log-odds of 1 − p(L3).
 *
 * Formula: σ(slope · ln(p/(1−p)) + intercept), p = p1 + p2, by maximum likelihood, with a ridge of 10⁻⁶ on the standardised slope.
 * Range: slope ≥ 0: higher p never means less defensible. Where the data say otherwise the slope is 0 and the score the base rate.
 * Undefined when: a class is missing (the fit runs off; callers refuse first).
 * Differs from the paper: not in the paper. Platt's smoothed targets are left out: the ridge does their work and does not depend on n.
 * @see Platt (1999), Advances in Large Margin Classifiers, 61-74
 */
export function fitPlatt(columns: ScoreColumns, rows: Int32Array): PlattModel {
  const logs = logDefensibleMatrix(columns, rows);
  const logits = Float64Array.from(rows, (_, r) => logs[2 * r]! - logs[2 * r + 1]!);
  const { defensible, weight } = targetsOf(columns, rows);
  const { mean, sd } = standardise(logits, 1, weight);
  const fit = ridgeLogistic(logits, 1, defensible, FINITE_OPTIMUM_L2, weight);
  if (sd[0] === 0 || fit.weights[0]! <= 0) return { kind: "platt", slope: 0, intercept: baseLogit(defensible, weight) };
  const slope = fit.weights[0]! / sd[0]!;
  return { kind: "platt", slope, intercept: fit.bias - slope * mean[0]! };
}

/** ln(k/(n−k)), the intercept of a model that knows nothing else. */
export function baseLogit(y: Uint8Array, weight: Float64Array | null = null): number {
  let [k, n] = [0, 0];
  for (let i = 0; i < y.length; i += 1) {
    const w = weight ? weight[i]! : 1;
    k += w * y[i]!;
    n += w;
  }
  return Math.log(k / (n - k));
}
