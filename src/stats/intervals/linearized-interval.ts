import { type ClusterInterval, CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkLevel } from "../check-arguments.js";
import { studentTQuantile } from "../distributions/student-t-quantile.js";

/**
 * Interval of any smooth statistic of clustered rows (F1, a gap of two rates, a ratio) from its influence values.
 *
 * Formula: s_c = Σ of the influence values of the rows of cluster c (they sum to about 0 over all rows);
 * V = G/(G−1) Σ(s_c − s̄)²; θ ± t_{G−1} √V, cut to `bounds`.
 * Range: within `bounds` when given, encloses θ when θ is within them. `design_effect` is null: only the caller knows
 * the variance under independence.
 * Undefined when: fewer than two clusters: null. RangeError when θ or a sum is not finite or the level is outside (0,
 * 1).
 * Differs from the paper: the paper treats rows as independent.
 * @see Binder (1983), International Statistical Review 51:279-292
 * @example
 * linearizedInterval(0.5, [0.1, -0.1], 0.95, [0, 1])?.upper // => 1
 */
export function linearizedInterval(
  theta: number,
  clusterSums: readonly number[],
  level = CONFIDENCE_LEVEL,
  bounds: readonly [number, number] = [-Infinity, Infinity],
): ClusterInterval | null {
  checkLevel(level);
  const clusters = clusterSums.length;
  if (clusters < 2) return null;
  const mean = clusterSums.reduce((sum, value) => sum + value, 0) / clusters;
  const squares = clusterSums.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = studentTQuantile((1 + level) / 2, clusters - 1) * Math.sqrt((clusters / (clusters - 1)) * squares);
  if (!Number.isFinite(theta) || !Number.isFinite(half)) {
    throw new RangeError(
      `linearizedInterval: not finite; got θ = ${theta}, half-width ${half}, expected finite numbers`,
    );
  }
  return {
    lower: Math.max(bounds[0], theta - half),
    upper: Math.min(bounds[1], theta + half),
    method: "linearized, t",
    clusters,
    design_effect: null,
  };
}
