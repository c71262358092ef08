import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkCount, checkLevel } from "../check-arguments.js";
import type { Rng } from "../random/create-rng.js";
import { quantile } from "../ranks/quantile.js";

export interface TwoWayBootstrap {
  lower: number;
  upper: number;
  level: number;
  draws: number;
  /** Draws in which the statistic was undefined; the interval is of the others. */
  undefined_draws: number;
}

/**
 * Bootstrap interval of a statistic of cases rated by raters: both are samples, so both are drawn with replacement.
 *
 * Formula: θ* = statistic(w, v), w_c and v_r = how often case c and rater r came up; percentile interval of θ*.
 * Range: between the smallest and the largest θ*; the same for the same seed. Somewhat too wide as a rule: the residual is drawn twice.
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
