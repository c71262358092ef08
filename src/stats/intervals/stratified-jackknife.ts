import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkLevel } from "../check-arguments.js";
import { studentTQuantile } from "../distributions/incomplete-beta.js";

export interface JackknifeOptions {
  level?: number;
  /** Range of the statistic. */
  bounds?: readonly [number, number];
}

/**
 * A statistic of a whole population (a correlation, κ, an area under a curve) from rows drawn in strata, each at its own rate: the
 * statistic of the weighted rows, with its sampling error.
 *
 * Formula: θ̂ = θ(w), w_i = N_h/n_h (Hájek). θ_(hj): row j of stratum h left out, the others of h with n_h/(n_h−1) times their weight. V = Σ_h (1 −
 * n_h/N_h) (n_h−1)/n_h Σ_j (θ_(hj) − θ̄_h)². A stratum with one row adds (1 − 1/N_h) (θ_(h) − θ̂)², θ_(h) without it. θ̂ ± t_ν √V, cut to `bounds`;
 * ν = Σ_h (n_h − 1), and of strata with one row each (a draw in which every row has its own chance) (ΣN_h)²/ΣN_h² − 1.
 * Range: within `bounds`.
 * Undefined when: a stratum with members has no row (`stratum_unlabelled`), no rows, or the statistic is undefined on all of them.
 * Differs from the paper: not in the paper, whose cases are not a sample of a run.
 * @see Cochran (1977), Sampling Techniques, 6.17; Rust and Rao (1996), Statistical Methods in Medical Research 5:283-310
 * @param stratum of each row, an index into `sizes`
 * @param sizes members of each stratum
 * @param statistic of the rows with these weights; null: undefined
 */
export function stratifiedJackknife(
  stratum: ArrayLike<number>,
  sizes: readonly number[],
  statistic: (weights: Float64Array) => number | null,
  { level = CONFIDENCE_LEVEL, bounds = [-Infinity, Infinity] }: JackknifeOptions = {},
): Estimate {
  checkLevel(level);
  const n = stratum.length;
  const counts = sizes.map(() => 0);
  for (let i = 0; i < n; i += 1) counts[stratum[i]!]! += 1;
  if (n === 0) return undefinedEstimate("no rows", 0);
  const empty = sizes.filter((size, h) => size > 0 && counts[h] === 0).length;
  if (empty > 0) return undefinedEstimate(`stratum_unlabelled: no label of ${empty} of ${sizes.length} strata`, n);
  const weights = Float64Array.from({ length: n }, (_, i) => sizes[stratum[i]!]! / counts[stratum[i]!]!);
  const estimate = statistic(weights);
  if (estimate === null) return undefinedEstimate("the statistic is undefined on these rows", n);
  const without = leaveOneOut(stratum, counts, weights, statistic);
  let variance = 0;
  for (let h = 0; h < sizes.length; h += 1) {
    const own = without.filter((_, i) => stratum[i] === h && !Number.isNaN(without[i]!));
    const left = 1 - counts[h]! / sizes[h]!;
    if (own.length === 0 || left <= 0) continue;
    if (counts[h] === 1) {
      variance += left * (own[0]! - estimate) ** 2;
      continue;
    }
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    const squares = own.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    variance += (left * (counts[h]! - 1) * squares) / counts[h]!;
  }
  const half = studentTQuantile((1 + level) / 2, degrees(counts, sizes)) * Math.sqrt(variance);
  return {
    estimate,
    lower: Math.max(bounds[0], estimate - half),
    upper: Math.min(bounds[1], estimate + half),
    level,
    method: "weighted, stratified jackknife",
    n,
    ...(variance < 1e-18 && counts.some((count, h) => count < sizes[h]!)
      ? { warnings: ["no row left out changes it: the interval has no width and says nothing"] }
      : {}),
  };
}

/** Degrees of freedom of the variance. Strata with one row are compared with each other, with larger strata weighing more. */
function degrees(counts: readonly number[], sizes: readonly number[]): number {
  const within = counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  const single = sizes.filter((size, h) => counts[h] === 1 && size > 1);
  const all = single.reduce((sum, size) => sum + size, 0);
  const between = single.length === 0 ? 0 : all ** 2 / single.reduce((sum, size) => sum + size ** 2, 0) - 1;
  return Math.max(1, within + between);
}

/** The statistic without each row; NaN if it is undefined without it. */
function leaveOneOut(
  stratum: ArrayLike<number>,
  counts: readonly number[],
  weights: Float64Array,
  statistic: (weights: Float64Array) => number | null,
): Float64Array {
  const members = counts.map(() => [] as number[]);
  for (let i = 0; i < weights.length; i += 1) members[stratum[i]!]!.push(i);
  const without = new Float64Array(weights.length);
  for (const rows of members) {
    if (rows.length === 0) continue;
    const [own] = [weights[rows[0]!]!];
    const raised = rows.length === 1 ? own : (own * rows.length) / (rows.length - 1);
    for (const row of rows) weights[row] = raised;
    for (const row of rows) {
      weights[row] = 0;
      without[row] = statistic(weights) ?? Number.NaN;
      weights[row] = raised;
    }
    for (const row of rows) weights[row] = own;
  }
  return without;
}
