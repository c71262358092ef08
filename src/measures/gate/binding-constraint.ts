import type { GateCohort, GateLimits } from "./gate-input.js";
import { isEligible, meetsAmbiguity, meetsDefensibility } from "./limits.js";

/** Which limit keeps a community out: one of them alone, or both. */
export type BindingConstraint = "di" | "ai" | "both";

/**
 * The limit that excludes a community, by its rates as seen.
 *
 * Formula: di when only DI < di, ai when only AI > ai, both when both.
 * Range: di, ai, both; null when both are met.
 * Undefined when: too few verdicts: null, since the minimum and no limit excludes it.
 * Differs from the paper: the paper names the binding constraint of the fleet only.
 * @see paper §9
 * @example
 * bindingConstraint({ key: "", n: 30, indefensible: 4, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 }, { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => "di"
 */
export function bindingConstraint(cohort: GateCohort, limits: GateLimits): BindingConstraint | null {
  if (!isEligible(cohort, limits)) return null;
  const able = meetsDefensibility(cohort, limits);
  const clear = meetsAmbiguity(cohort, limits);
  if (able) return clear ? null : "ai";
  return clear ? "di" : "both";
}

export interface ConstraintCount {
  communities: number;
  decisions: number;
  indefensible: number;
}

export interface BindingAnalysis {
  /** Communities that each limit excludes. Those under `di` (`ai`) would pass if that limit alone were dropped. */
  excluded: Record<BindingConstraint, ConstraintCount>;
  /** The limit whose removal would admit more decisions; null when neither excludes anyone alone, or both as many. */
  binding: "di" | "ai" | null;
  /** AI counts contradictions (level 3 with inverse Yes), so it cannot be below their share. */
  mechanical: {
    /** Contradictions of the indefensible verdicts, over eligible communities; null without indefensible verdicts. */
    contradiction_share: number | null;
    contradictions: number;
    indefensible: number;
    /** DI that AI ≤ ai implies by itself at that share, 1 − ai / share; null where it implies nothing, or the gate limits AI_pure. */
    implied_di: number | null;
    /** Communities whose contradictions alone exceed the ambiguity limit. */
    contradictions_exceed_limit: ConstraintCount;
  };
  /** Whether Moderate (85/15) and Standard (90/15) pass the same communities, as in the paper's table. */
  moderate_is_standard: { same: boolean; between: ConstraintCount };
}

/**
 * Which limit the gate really turns on. In the paper tightening DI from 85 % to 90 % changes nothing, because AI has
 * excluded those communities already; part of that is arithmetic, since AI contains the contradictions.
 *
 * Formula: AI = AI_pure + AI_contra ≥ s (1 − DI), s = contradictions / L3; so AI ≤ ai implies DI ≥ 1 − ai/s.
 * Range: counts; implied_di in [0, 1).
 * Undefined when: see the fields.
 * Differs from the paper: the paper concludes that ambiguity decides; the mechanical part is separated here.
 * @see paper §9
 * @example
 * analyseBinding([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).binding // => null
 */
export function analyseBinding(cohorts: readonly GateCohort[], limits: GateLimits): BindingAnalysis {
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  const excluded = { di: nobody(), ai: nobody(), both: nobody() };
  const contradicted = nobody();
  const between = nobody();
  let contradictions = 0;
  let indefensible = 0;
  for (const cohort of eligible) {
    const constraint = bindingConstraint(cohort, limits);
    if (constraint !== null) add(excluded[constraint], cohort);
    const opposite = cohort.inverse_yes - cohort.inverse_yes_pure;
    contradictions += opposite;
    indefensible += cohort.indefensible;
    if (!meetsAmbiguity({ ...cohort, inverse_yes: opposite }, { ...limits, variable: "ai" })) add(contradicted, cohort);
    const at = (di: number): GateLimits => ({ ...limits, di, ai: 0.15 });
    if (
      meetsAmbiguity(cohort, at(0.9)) &&
      meetsDefensibility(cohort, at(0.85)) &&
      !meetsDefensibility(cohort, at(0.9))
    ) {
      add(between, cohort);
    }
  }
  const share = indefensible === 0 ? null : contradictions / indefensible;
  const implied = share === null || share === 0 || limits.variable === "ai_pure" ? null : 1 - limits.ai / share;
  const { di, ai } = excluded;
  return {
    excluded,
    binding: di.decisions === ai.decisions ? null : di.decisions > ai.decisions ? "di" : "ai",
    mechanical: {
      contradiction_share: share,
      contradictions,
      indefensible,
      implied_di: implied !== null && implied > 0 ? implied : null,
      contradictions_exceed_limit: contradicted,
    },
    moderate_is_standard: { same: between.communities === 0, between },
  };
}

function nobody(): ConstraintCount {
  return { communities: 0, decisions: 0, indefensible: 0 };
}

function add(count: ConstraintCount, cohort: GateCohort): void {
  count.communities += 1;
  count.decisions += cohort.n;
  count.indefensible += cohort.indefensible;
}
