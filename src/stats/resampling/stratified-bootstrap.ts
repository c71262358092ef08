import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { groupBy } from "../../core/text-checks.js";
import { checkLevel } from "../check-arguments.js";
import type { Rng } from "../random/create-rng.js";
import { quantile } from "../ranks/sorted-order.js";

export interface StratifiedBootstrapOptions {
  rng: Rng;
  /** Default 2,000. */
  draws?: number;
  /** Confidence level. Default 0.95. */
  level?: number;
}

/** A statistic of the whole sample with its percentile interval. */
export interface BootstrapStatistic {
  value: number | null;
  /** null if the statistic is null in the sample or in more than half of the draws. */
  lower: number | null;
  upper: number | null;
  /** Two-sided p-value of "it is 0": twice the smaller share of draws on one side of 0, never below 2/(draws + 1). */
  p_zero: number | null;
  undefined_draws: number;
}

const DRAWS = 2000;

/**
 * Bootstrap intervals of many statistics of the same rows from the same draws, so that values paired in the sample stay
 * paired. Rows are drawn with replacement within their stratum: sizes fixed by design stay fixed.
 *
 * Formula: θ* = statistics(w), w_i = how often row i came up when n_s rows were drawn from each stratum s. Interval: the
 * (1∓level)/2 quantiles of θ*. p: 2 min(#{θ* ≤ 0} + 1, #{θ* ≥ 0} + 1) / (draws + 1), at most 1.
 * Range: between the smallest and the largest θ*; the same for the same seed.
 * Undefined when: fewer than two rows, the statistic is null for the sample, or in more than half of the draws: null.
 * RangeError when a statistic is not finite.
 * Differs from the paper: the paper prints no intervals.
 * @see Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 8 and 13
 * @example
 * stratifiedBootstrap([0, 0], () => [0.5], { rng: { int: () => 1 }, draws: 10 })[0].lower // => 0.5
 */
export function stratifiedBootstrap(
  strata: ArrayLike<number>,
  statistics: (weights: Float64Array) => readonly (number | null)[],
  options: StratifiedBootstrapOptions,
): BootstrapStatistic[] {
  const { rng, draws = DRAWS, level = CONFIDENCE_LEVEL } = options;
  checkLevel(level);
  if (!(Number.isSafeInteger(draws) && draws >= 1)) {
    throw new RangeError(`draws: not a number of draws; got ${draws}, expected an integer from 1 on`);
  }
  const weights = new Float64Array(strata.length).fill(1);
  const whole = [...statistics(weights)];
  whole.forEach(checkFinite);
  const drawn = whole.map(() => new Float64Array(draws));
  const defined = new Int32Array(whole.length);
  const members = rowsByStratum(strata);
  if (strata.length >= 2) {
    for (let draw = 0; draw < draws; draw += 1) {
      weights.fill(0);
      for (const rows of members) {
        for (let i = 0; i < rows.length; i += 1) weights[rows[rng.int(rows.length)]!]! += 1;
      }
      const values = statistics(weights);
      for (let s = 0; s < whole.length; s += 1) {
        const value = values[s] ?? null;
        if (value === null) continue;
        checkFinite(value);
        drawn[s]![defined[s]!++] = value;
      }
    }
  }
  return whole.map((value, s) => summary(value, drawn[s]!.subarray(0, defined[s]!), draws, level));
}

export function bootstrapEstimate(statistic: BootstrapStatistic, n: number, reason: string): Estimate {
  const { value, lower, upper } = statistic;
  if (value === null) return undefinedEstimate(reason, n);
  if (lower === null || upper === null) return undefinedEstimate("too few cases for an interval", n);
  // A percentile interval need not enclose the estimate; one that does not would look like a mistake.
  return {
    estimate: value,
    lower: Math.min(lower, value),
    upper: Math.max(upper, value),
    level: CONFIDENCE_LEVEL,
    method: "case bootstrap, percentile",
    n,
  };
}

function rowsByStratum(strata: ArrayLike<number>): Int32Array[] {
  const rows = groupBy(Array(strata.length).keys(), (i) => strata[i]!);
  return [...rows.values()].map((list) => Int32Array.from(list));
}

function summary(value: number | null, drawn: Float64Array, draws: number, level: number): BootstrapStatistic {
  const undefined_draws = draws - drawn.length;
  if (value === null || 2 * drawn.length < draws || drawn.length === 0) {
    return { value, lower: null, upper: null, p_zero: null, undefined_draws };
  }
  const sorted = drawn.sort();
  let [below, above] = [0, 0];
  for (const one of sorted) {
    if (one <= 0) below += 1;
    if (one >= 0) above += 1;
  }
  return {
    value,
    lower: quantile(sorted, (1 - level) / 2),
    upper: quantile(sorted, (1 + level) / 2),
    p_zero: Math.min(1, (2 * (Math.min(below, above) + 1)) / (sorted.length + 1)),
    undefined_draws,
  };
}

function checkFinite(value: number | null): void {
  if (value === null || Number.isFinite(value)) return;
  throw new RangeError(`statistic: not finite; got ${value}, expected a number, or null where it is undefined`);
}
