import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkCount, checkLevel } from "../check-arguments.js";
import { normalCdf, normalQuantile } from "../distributions/normal.js";
import { MANY_CLUSTERS } from "../intervals/clustered-proportion.js";
import type { Rng } from "../random/create-rng.js";
import { quantile } from "../ranks/sorted-order.js";

export interface ClusterBootstrapOptions {
  rng: Rng;
  /** Default 2,000. */
  draws?: number;
  /** Confidence level. Default 0.95. */
  level?: number;
  /** Default percentile. */
  method?: "percentile" | "bca";
}

export interface ClusterBootstrap {
  lower: number;
  upper: number;
  level: number;
  /** The method used: `percentile` if BCa was requested but is not available. */
  method: "percentile" | "bca";
  draws: number;
  /** Draws in which the statistic was undefined; the interval is from the others. */
  undefined_draws: number;
  warnings: string[];
}

const DRAWS = 2000;

/**
 * Bootstrap interval of any statistic of rows that come in clusters (communities): whole clusters are drawn with
 * replacement. For statistics without a formula: F1, gaps, calibration error, risk reduction.
 *
 * Formula: θ* = statistic(w), w_c = how often cluster c came up in G draws. Percentile: the (1∓level)/2 quantiles of
 * θ*. BCa: their orders become Φ(z0 + (z0 + z)/(1 − a(z0 + z))), z0 = Φ⁻¹(share of θ* below θ, ties half), a = Σd³ /
 * (6 (Σd²)^{3/2}), d_c = mean of the leave-one-cluster-out values − the value without c.
 * Range: between the smallest and the largest θ*; the same for the same seed.
 * Undefined when: fewer than two clusters, the statistic of the whole sample is null, or it is null in more than half
 * of the draws: null. BCa falls back to percentile, with a warning, when all draws lie on one side of θ or a
 * leave-one-out value is null. RangeError when the statistic is not finite.
 * Differs from the paper: the paper prints no intervals.
 * @see Efron (1987), Journal of the American Statistical Association 82:171-185
 * @example
 * clusterBootstrap(2, () => 0.5, { rng: { int: () => 1 }, draws: 10 }).lower // => 0.5
 */
export function clusterBootstrap(
  clusters: number,
  statistic: (weights: Float64Array) => number | null,
  options: ClusterBootstrapOptions,
): ClusterBootstrap | null {
  const { rng, draws = DRAWS, level = CONFIDENCE_LEVEL, method = "percentile" } = options;
  checkCount("clusters", clusters);
  checkLevel(level);
  if (!(Number.isSafeInteger(draws) && draws >= 1)) {
    throw new RangeError(`draws: not a number of draws; got ${draws}, expected an integer from 1 on`);
  }
  if (clusters < 2) return null;
  const weights = new Float64Array(clusters).fill(1);
  const whole = evaluate(statistic, weights);
  if (whole === null) return null;
  const values = new Float64Array(draws);
  let defined = 0;
  for (let draw = 0; draw < draws; draw++) {
    weights.fill(0);
    for (let i = 0; i < clusters; i++) weights[rng.int(clusters)]! += 1;
    const value = evaluate(statistic, weights);
    if (value !== null) values[defined++] = value;
  }
  if (2 * defined < draws) return null;
  const sorted = values.subarray(0, defined).sort();
  const warnings: string[] = [];
  if (clusters < MANY_CLUSTERS) {
    warnings.push(
      `only ${clusters} clusters: with fewer than ${MANY_CLUSTERS} a bootstrap of clusters is too narrow as a rule`,
    );
  }
  if (defined < draws) warnings.push(`the statistic was undefined in ${draws - defined} of ${draws} draws`);
  const shift = method === "bca" ? corrections(clusters, statistic, weights, whole, sorted, warnings) : null;
  const order = (p: number) => (shift ? shiftedOrder(p, shift) : p);
  return {
    lower: quantile(sorted, order((1 - level) / 2)),
    upper: quantile(sorted, order((1 + level) / 2)),
    level,
    method: shift ? "bca" : "percentile",
    draws,
    undefined_draws: draws - defined,
    warnings,
  };
}

interface Corrections {
  bias: number;
  acceleration: number;
}

function corrections(
  clusters: number,
  statistic: (weights: Float64Array) => number | null,
  weights: Float64Array,
  whole: number,
  sorted: Float64Array,
  warnings: string[],
): Corrections | null {
  let below = 0;
  for (const value of sorted) below += value < whole ? 1 : value === whole ? 0.5 : 0;
  const bias = normalQuantile(below / sorted.length);
  const left = new Float64Array(clusters);
  for (let c = 0; c < clusters; c++) {
    weights.fill(1);
    weights[c] = 0;
    const value = evaluate(statistic, weights);
    if (value === null) {
      warnings.push("percentile instead of BCa: the statistic is undefined when one cluster is left out");
      return null;
    }
    left[c] = value;
  }
  if (!Number.isFinite(bias)) {
    warnings.push("percentile instead of BCa: every draw lies on the same side of the estimate");
    return null;
  }
  const mean = left.reduce((sum, value) => sum + value, 0) / clusters;
  let squares = 0;
  let cubes = 0;
  for (const value of left) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  return { bias, acceleration: squares === 0 ? 0 : cubes / (6 * squares ** 1.5) };
}

function shiftedOrder(p: number, { bias, acceleration }: Corrections): number {
  const z = bias + normalQuantile(p);
  const slope = 1 - acceleration * z;
  // Beyond its pole the formula reverses; the correct limit is the end of the sample.
  if (slope <= 0) return z > 0 ? 1 : 0;
  return normalCdf(bias + z / slope);
}

function evaluate(statistic: (weights: Float64Array) => number | null, weights: Float64Array): number | null {
  const value = statistic(weights);
  if (value !== null && !Number.isFinite(value)) {
    throw new RangeError(`statistic: not finite; got ${value}, expected a number, or null where it is undefined`);
  }
  return value;
}

export interface TwoWayBootstrap {
  lower: number;
  upper: number;
  level: number;
  draws: number;
  /** Draws in which the statistic was undefined; the interval is from the others. */
  undefined_draws: number;
}

/**
 * Bootstrap interval of a statistic of cases rated by raters: both are samples, so both are drawn with replacement.
 *
 * Formula: θ* = statistic(w, v), w_c and v_r = how often case c and rater r came up; percentile interval of θ*.
 * Range: between the smallest and the largest θ*; the same for the same seed. Usually somewhat too wide: the residual is drawn twice.
 * Undefined when: fewer than two cases or two raters, or the statistic is null in more than half of the draws: null.
 * Differs from the paper: the paper takes its 30 cases and 121 raters as fixed.
 * @see Owen (2007), Annals of Applied Statistics 1:386-411
 * @example twoWayBootstrap(2, 2, () => 0.5, { rng: { int: () => 1 }, draws: 10 }).lower // => 0.5
 */
export function twoWayBootstrap(
  cases: number,
  raters: number,
  statistic: (caseWeights: Float64Array, raterWeights: Float64Array) => number | null,
  options: { rng: Pick<Rng, "int">; draws?: number; level?: number },
): TwoWayBootstrap | null {
  const { rng, draws = 2000, level = CONFIDENCE_LEVEL } = options;
  checkCount("cases", cases);
  checkCount("raters", raters);
  checkLevel(level);
  if (cases < 2 || raters < 2) return null;
  const caseWeights = new Float64Array(cases);
  const raterWeights = new Float64Array(raters);
  const values = new Float64Array(draws);
  let defined = 0;
  for (let draw = 0; draw < draws; draw++) {
    drawWeights(caseWeights, rng);
    drawWeights(raterWeights, rng);
    const value = statistic(caseWeights, raterWeights);
    if (value !== null) values[defined++] = value;
  }
  if (2 * defined < draws) return null;
  const sorted = values.subarray(0, defined).sort();
  return {
    lower: quantile(sorted, (1 - level) / 2),
    upper: quantile(sorted, (1 + level) / 2),
    level,
    draws,
    undefined_draws: draws - defined,
  };
}

function drawWeights(weights: Float64Array, rng: Pick<Rng, "int">): void {
  weights.fill(0);
  for (let i = 0; i < weights.length; i++) weights[rng.int(weights.length)]! += 1;
}
