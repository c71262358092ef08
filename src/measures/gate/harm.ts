import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import type { GateHarm, HarmRule } from "../../core/gate.js";
import { type BoundedUnits, boundedUpperBound } from "../../stats/tests/bounded-e-value.js";
import { type GateCohort, type GateLimits, LIMIT_SLACK } from "./gate-input.js";

/** A limit on the expected harm of a decision, and the greatest harm that one decision can do under the weights. */
export type HarmLimit = Pick<GateHarm, "limit" | "max">;

/** Verdicts of a cohort that do the same harm, as a share of the greatest possible harm. Harmless verdicts are not listed. */
export interface HarmCount {
  value: number;
  count: number;
}

/**
 * The greatest harm that one decision can do under the weights. It is known before any verdict; otherwise the bound of a mean would depend on the
 * data.
 *
 * Formula: h_max = max over actions of w_a · max(1, max over rules of w_r); an unspecified weight is 1.
 * Range: greater than 0.
 * Undefined when: every action has weight 0, so no harm is possible, or the product is not finite: RangeError.
 * Differs from the paper: not in the paper.
 * @example
 * greatestHarm(["allow", "ban"], { ban: 5 }, [{ scope: "platform", community: null, rule_id: "P1", harm: 2 }]) // => 10
 */
export function greatestHarm(
  actions: readonly string[],
  weights: Readonly<Record<string, number>>,
  rules: readonly HarmRule[],
): number {
  const ofActions = Math.max(...actions.map((action) => weightOf(weights, action)));
  const max = ofActions * rules.reduce((most, { harm }) => Math.max(most, harm), 1);
  if (max > 0 && Number.isFinite(max)) return max;
  throw new RangeError(`harm: the greatest weight is ${max}; expected a finite one above 0`);
}

/** The weight of an action; 1 if unspecified. */
export function weightOf(weights: Readonly<Record<string, number>>, action: string): number {
  return Object.hasOwn(weights, action) ? weights[action]! : 1;
}

/** The limit as a share of the greatest possible harm, which the mean of harm shares is tested against. A value of 1 or more excludes no cohort. */
export function harmShareLimit({ limit, max }: HarmLimit): number {
  return limit / max;
}

/** Sum of the harm shares of a cohort's verdicts; null if harm was not counted. */
export function harmShares({ harm }: Pick<GateCohort, "harm">): number | null {
  return harm ? harm.reduce((sum, { value, count }) => sum + value * count, 0) : null;
}

/** Whether the observed mean harm is within the limit, inclusive; true without a limit, false without verdicts or if harm was not counted. */
export function meetsHarm(cohort: GateCohort, { harm_limit: harm }: GateLimits): boolean {
  if (!harm) return true;
  const sum = harmShares(cohort);
  return sum !== null && cohort.n > 0 && sum / cohort.n <= harmShareLimit(harm) + LIMIT_SLACK;
}

/**
 * The units of evidence about a cohort's expected harm: threads, with their mean harm as value and a capped size as weight, like those of
 * `threadUnits` for rates.
 *
 * Formula: x_t = Σ h_i·1{level 3} / (n_t h_max), u_t = min(n_t, m) / m. They certify E[min(n, m) x] / E[min(n, m)] · h_max, the expected harm of a
 * decision when a thread counts as at most m of them.
 * Range: weights in (0, 1], values in [0, 1].
 * Undefined when: never; a cohort without threads gives one unit of weight 1 for each verdict, and a cohort whose harm was not counted gives no
 * units.
 * Differs from the paper: not in the paper.
 * @see `logBoundedEValue`
 * @example
 * harmUnits({ key: "", n: 3, indefensible: 1, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0, harm: [{ value: 0.2, count: 1 }] }, 5)
 * // => [{ weight: 1, value: 0.2, count: 1 }, { weight: 1, value: 0, count: 2 }]
 */
export function harmUnits(cohort: GateCohort, cap: number): BoundedUnits[] {
  const { harm, threads, n } = cohort;
  if (!harm) return [];
  if (!threads) {
    const harmful = harm.reduce((sum, { count }) => sum + count, 0);
    const units = harm.map(({ value, count }) => ({ weight: 1, value, count }));
    return [...units, { weight: 1, value: 0, count: n - harmful }].filter(({ count }) => count > 0);
  }
  return threads.groups.map((group) => ({
    weight: Math.min(group.n, cap) / cap,
    value: Math.min(1, (group.harm ?? 0) / group.n),
    count: group.threads,
  }));
}

/**
 * Interval of a cohort's expected harm, in the units of the weights, from bounds that hold for any distribution between 0 and the greatest harm,
 * and at every look. It is wide: harm is rare and may be large, so an interval that assumes a normal distribution would not hold.
 *
 * Formula: h_max · [1 − U(1 − x), U(x)], U of `boundedUpperBound` at (1 − level)/2.
 * Range: 0 to h_max.
 * Undefined when: there are no units (no closed thread): null.
 * Differs from the paper: not in the paper.
 */
export function harmInterval(
  cohort: GateCohort,
  { max }: HarmLimit,
  cap: number,
  level = CONFIDENCE_LEVEL,
): { lower: number; upper: number } | null {
  const units = harmUnits(cohort, cap);
  if (units.length === 0) return null;
  const tail = (1 - level) / 2;
  const mirrored = units.map((unit) => ({ ...unit, value: 1 - unit.value }));
  return { lower: max * (1 - boundedUpperBound(mirrored, tail)), upper: max * boundedUpperBound(units, tail) };
}
