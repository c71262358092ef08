import { type ClusterInterval, CONFIDENCE_LEVEL, type DefinedEstimate } from "../../core/estimate.js";
import { checkLevel } from "../check-arguments.js";
import { studentTQuantile } from "../distributions/incomplete-beta.js";

/**
 * The number of clusters of equal size that carry as much information as these: a fleet with half of its rows in one community has fewer
 * than four, however many others it has.
 *
 * Formula: G_eff = 1/Σa_c² = N²/Σn_c², a_c = n_c/N.
 * Range: [1, G]; G if all sizes are equal.
 * Undefined when: there are no rows: null. RangeError when a size is negative or not finite.
 * Differs from the paper: not in the paper.
 * @see Kish (1965), Survey Sampling, 11.7
 * @example
 * effectiveClusters([50, 25, 25]) // => 2.6666666666666665
 */
export function effectiveClusters(sizes: ArrayLike<number>): number | null {
  let rows = 0;
  let squares = 0;
  for (let c = 0; c < sizes.length; c += 1) {
    const size = sizes[c]!;
    if (!(size >= 0 && size < Infinity)) {
      throw new RangeError(`cluster: not a size; got ${size}, expected a finite number from 0 on`);
    }
    rows += size;
    squares += size * size;
  }
  return rows > 0 ? (rows * rows) / squares : null;
}

/** The spread of an estimate over clusters. */
export interface ClusterSpread {
  clusters: number;
  effective_clusters: number;
  /** Quantile of Student's t with ν = max(1, G_eff − 1). */
  t: number;
  /** Σ(θ_(−c) − θ)². */
  variance: number;
}

/** The spread, from the changes caused by leaving out each cluster that has rows. null with fewer than two. */
export function clusterSpread(
  changes: readonly number[],
  effective_clusters: number | null,
  level: number,
): ClusterSpread | null {
  checkLevel(level);
  if (effective_clusters === null || changes.length < 2) return null;
  const t = studentTQuantile((1 + level) / 2, Math.max(1, effective_clusters - 1));
  const variance = changes.reduce((sum, change) => sum + change ** 2, 0);
  return { clusters: changes.length, effective_clusters, t, variance };
}

/**
 * The spread, from the sums of the influence values of each cluster's rows: leaving a cluster out changes the estimate by −s_c/(1
 * − a_c). Exact for means, rates and their paired differences; first-order for other statistics.
 */
export function spreadOfSums(
  sums: ArrayLike<number>,
  sizes: ArrayLike<number>,
  level = CONFIDENCE_LEVEL,
): ClusterSpread | null {
  let rows = 0;
  for (let c = 0; c < sizes.length; c += 1) rows += sizes[c]!;
  const changes: number[] = [];
  for (let c = 0; c < sizes.length; c += 1) {
    if (sizes[c]! > 0) changes.push((-sums[c]! * rows) / (rows - sizes[c]!));
  }
  return clusterSpread(changes, effectiveClusters(sizes), level);
}

/** θ ± t_ν √V from such sums, cut to `bounds`. */
export function jackknifeOfSums(
  theta: number,
  sums: ArrayLike<number>,
  sizes: ArrayLike<number>,
  level = CONFIDENCE_LEVEL,
  bounds: readonly [number, number] = [-Infinity, Infinity],
): ClusterInterval | null {
  const spread = spreadOfSums(sums, sizes, level);
  return spread && intervalOf(theta, spread, bounds);
}

/**
 * Interval of any statistic of clustered rows (F1, a gap of two rates, a ratio) from its values with one cluster left out at a time. Designed
 * for clusters of very unequal size, where the linearised variance with t_{G−1} is far too small.
 *
 * Formula: V = Σ(θ_(−c) − θ)², G_eff = 1/Σa_c² with a_c = n_c/N, ν = max(1, G_eff − 1); θ ± t_ν √V, cut to `bounds`.
 * Range: within `bounds` when given, encloses θ when θ is within them. `design_effect` is null: only the caller knows the variance under
 * independence.
 * Undefined when: fewer than two clusters have rows, or the statistic is undefined (null) without one of them: null. RangeError when θ or a
 * value is not finite, the lengths differ, or the level is outside (0, 1).
 * Differs from the paper: the paper treats rows as independent.
 * @see Bell and McCaffrey (2002), Survey Methodology 28:169-181; Imbens and Kolesár (2016), Review of Economics and Statistics 98:701-712
 * @example
 * clusterJackknife(0.5, [0.4, 0.6, 0.5], [10, 10, 10], 0.95, [0, 1])?.upper // => 1
 */
export function clusterJackknife(
  theta: number,
  leftOut: readonly (number | null)[],
  sizes: ArrayLike<number>,
  level = CONFIDENCE_LEVEL,
  bounds: readonly [number, number] = [-Infinity, Infinity],
): ClusterInterval | null {
  if (leftOut.length !== sizes.length) {
    throw new RangeError(`clusters: lengths differ; got ${leftOut.length} values and ${sizes.length} sizes`);
  }
  const changes: number[] = [];
  for (const [c, value] of leftOut.entries()) {
    if (sizes[c] === 0) continue;
    if (value === null) return null;
    changes.push(value - theta);
  }
  const spread = clusterSpread(changes, effectiveClusters(sizes), level);
  return spread && intervalOf(theta, spread, bounds);
}

/**
 * A statistic with its `clusterJackknife` as its only interval. Without an interval (one cluster, a statistic undefined without
 * one cluster, or the same value without each) both ends equal the value and a warning says why.
 */
export function jackknifeEstimate(
  estimate: number,
  leftOut: readonly (number | null)[],
  sizes: ArrayLike<number>,
  n: number,
  bounds?: readonly [number, number],
): DefinedEstimate {
  const interval = clusterJackknife(estimate, leftOut, sizes, CONFIDENCE_LEVEL, bounds);
  const { lower, upper } = interval ?? { lower: estimate, upper: estimate };
  const made = { estimate, lower, upper, level: CONFIDENCE_LEVEL, method: "jackknife of communities, t", n };
  if (lower < upper) return made;
  const why = interval ? "the value is the same without each community" : UNDEFINED_WITHOUT;
  return { ...made, warnings: [`no interval: ${leftOut.length < 2 ? "there is only one community" : why}`] };
}

/** Why a statistic has no interval over communities. */
export const UNDEFINED_WITHOUT = "the value is undefined when one community is left out";

/** A statistic of cluster weights, evaluated without each cluster in turn: input for `clusterJackknife`. */
export function leaveEachOut(clusters: number, statistic: (weights: Float64Array) => number | null): (number | null)[] {
  const weights = new Float64Array(clusters).fill(1);
  return Array.from(weights, (_, c) => {
    weights[c] = 0;
    const without = statistic(weights);
    weights[c] = 1;
    return without;
  });
}

export function intervalOf(theta: number, spread: ClusterSpread, bounds: readonly [number, number]): ClusterInterval {
  const { clusters, effective_clusters, t, variance } = spread;
  const half = t * Math.sqrt(variance);
  if (!Number.isFinite(theta) || !Number.isFinite(half)) {
    throw new RangeError(
      `jackknife: not finite; got θ = ${theta}, half-width ${half}, expected finite numbers, or null where undefined`,
    );
  }
  return {
    lower: Math.max(bounds[0], theta - half),
    upper: Math.min(bounds[1], theta + half),
    method: "jackknife, t",
    clusters,
    effective_clusters,
    design_effect: null,
  };
}
