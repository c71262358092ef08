import { InputError } from "../../core/errors.js";
import type { GateState } from "../../core/gate.js";
import type { GateVariable } from "../../core/names.js";
import { type BetaBinomialFit, betaBinomialFit } from "../../stats/distributions/beta-binomial-fit.js";
import {
  ambiguousCount,
  effectiveShare,
  type GateCohort,
  type GateLimits,
  LIMIT_SLACK,
  type VerdictCounts,
} from "./gate-input.js";
import { harmShares, meetsHarm } from "./harm.js";

export { LIMIT_SLACK };

/** Largest allowed indefensible rate r_D = 1 − di, without the rounding error of the subtraction. */
export function indefensibleLimit(limits: GateLimits): number {
  return Math.round((1 - limits.di) * 1e12) / 1e12;
}

/** Whether the cohort has enough verdicts to be judged, in any mode. With fewer, a gate never opens. */
export function isEligible(cohort: GateCohort, limits: GateLimits): boolean {
  return cohort.n > 0 && cohort.n >= limits.min_decisions;
}

/** DI ≥ di, inclusive; false without verdicts. */
export function meetsDefensibility(cohort: GateCohort, limits: GateLimits): boolean {
  return cohort.n > 0 && (cohort.n - cohort.indefensible) / cohort.n >= limits.di - LIMIT_SLACK;
}

/** AI (or AI_pure) ≤ ai, inclusive; false without verdicts. */
export function meetsAmbiguity(cohort: GateCohort, limits: GateLimits): boolean {
  return cohort.n > 0 && ambiguousCount(cohort, limits.variable) / cohort.n <= limits.ai + LIMIT_SLACK;
}

/**
 * Whether observed rates meet the limits of the gate, whatever the number of verdicts.
 *
 * Formula: (n − k_L3)/n ≥ di and k_Yes/n ≤ ai, and mean harm ≤ its limit where there is one; all inclusive with 1e-9 slack for the division.
 * Range: true or false.
 * Undefined when: never; false without verdicts (a gate fails closed).
 * Differs from the paper: nothing.
 * @see paper §9
 * @example
 * meetsLimits({ key: "", n: 30, indefensible: 3, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 }, { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => true
 */
export function meetsLimits(cohort: GateCohort, limits: GateLimits): boolean {
  return meetsDefensibility(cohort, limits) && meetsAmbiguity(cohort, limits) && meetsHarm(cohort, limits);
}

/** Limits of di = 0 and ai = 1 exclude no cohort; both are allowed. */
export function checkLimits(limits: GateLimits): void {
  const rate = (name: string, value: number) => {
    if (!(value >= 0 && value <= 1)) {
      throw new InputError(
        "gate_limits",
        `${name}: not a limit; got ${value}, expected a rate from 0 to 1`,
        `Give ${name} as a share, for example 0.9 for 90%.`,
      );
    }
  };
  rate("di", limits.di);
  rate("ai", limits.ai);
  if (limits.harm_limit && !(limits.harm_limit.limit > 0 && limits.harm_limit.limit < Infinity)) {
    throw new InputError(
      "gate_limits",
      `harm: not a limit; got ${limits.harm_limit.limit}, expected a number above 0`,
      "Give it in the units of the weights: with weights from 1 to 10, 0.5 is half the harm of the mildest error a decision.",
    );
  }
  if (!(Number.isInteger(limits.min_decisions) && limits.min_decisions >= 0)) {
    throw new InputError(
      "gate_limits",
      `min_decisions: not a count; got ${limits.min_decisions}, expected an integer from 0 on`,
      "The paper's minimum is 25.",
    );
  }
}

/** Rejects impossible counts, which are a mistake of the caller. */
export function checkCohorts(cohorts: readonly GateCohort[]): void {
  for (const cohort of cohorts) {
    const counts = [cohort.n, cohort.indefensible, cohort.inverse_yes, cohort.inverse_yes_pure, cohort.unscored];
    const whole = counts.every((count) => Number.isSafeInteger(count) && count >= 0);
    const contradictions = cohort.inverse_yes - cohort.inverse_yes_pure;
    const nested =
      cohort.indefensible <= cohort.n &&
      contradictions >= 0 &&
      contradictions <= cohort.indefensible &&
      cohort.inverse_yes_pure <= cohort.n - cohort.indefensible;
    if (!whole || !nested) {
      throw new RangeError(
        `cohort: counts do not fit together; got ${JSON.stringify(cohort)}, expected counts within n`,
      );
    }
  }
}

/**
 * What a community's observed rates say about it: may be automated, reasons wrongly, or reasons well under rules that leave cases open.
 *
 * Formula: insufficient: n < min; policy_gaps: DI < di; normative_complexity: DI ≥ di and AI > ai; earned_autonomy: both limits met.
 * Range: exactly one of the four.
 * Undefined when: never; no verdicts are `insufficient`.
 * Differs from the paper: the paper names three states and prints no rule; this rule is exhaustive and agrees with the paper's means.
 * @see paper §5.3
 * @example
 * fleetState({ key: "", n: 24, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 }, { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => "insufficient"
 */
export function fleetState(cohort: GateCohort, limits: GateLimits): GateState {
  if (!isEligible(cohort, limits)) return "insufficient";
  if (!meetsDefensibility(cohort, limits)) return "policy_gaps";
  return meetsAmbiguity(cohort, limits) ? "earned_autonomy" : "normative_complexity";
}

/** How the two rates vary over the fleet; null if no cohort has a verdict. */
export interface ShrinkageFit {
  indefensible: BetaBinomialFit | null;
  ambiguity: BetaBinomialFit | null;
  variable: GateVariable;
  /**
   * The same for harm, as a share of the greatest possible harm: a share between 0 and 1 varies no more than a binary variable with the same mean.
   * Absent: harm was not counted.
   */
  harm?: BetaBinomialFit | null;
}

/**
 * Fits the distribution of both rates over all cohorts with a verdict, including those below the minimum, which are informative too. n verdicts in
 * threads count as n* = (Σn_t)² / Σn_t², at the same rate.
 */
export function fitShrinkage(cohorts: readonly GateCohort[], variable: GateVariable): ShrinkageFit {
  const fitOf = (count: (cohort: GateCohort) => number) =>
    betaBinomialFit(
      cohorts.map((cohort) => ({ k: count(cohort) * effectiveShare(cohort), n: cohort.n * effectiveShare(cohort) })),
    );
  return {
    indefensible: fitOf((cohort) => cohort.indefensible),
    ambiguity: fitOf((cohort) => ambiguousCount(cohort, variable)),
    variable,
    ...(cohorts.some(({ harm }) => harm) ? { harm: fitOf((cohort) => harmShares(cohort) ?? 0) } : {}),
  };
}

/** k of n by community, the clusters of every pooled rate: one community may have decisions in several cohorts, and one cohort those of several. */
export function communityShares(
  cohorts: readonly GateCohort[],
  k: (counts: VerdictCounts, cohort: GateCohort) => number,
): { k: number; n: number }[] {
  const shares = new Map<string | GateCohort, { k: number; n: number }>();
  const add = (cluster: string | GateCohort, counts: VerdictCounts, cohort: GateCohort) => {
    const share = shares.get(cluster) ?? { k: 0, n: 0 };
    share.k += k(counts, cohort);
    share.n += counts.n;
    shares.set(cluster, share);
  };
  for (const cohort of cohorts) {
    if (cohort.communities) for (const counts of cohort.communities) add(counts.community, counts, cohort);
    else add(cohort, cohort, cohort);
  }
  return [...shares.values()];
}
