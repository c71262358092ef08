import type { GateState } from "../../core/gate.js";
import type { GateCohort, GateLimits } from "./gate-input.js";
import { isEligible, meetsAmbiguity, meetsDefensibility } from "./limits.js";

/**
 * What a community's rates as seen say about it: may be automated, reasons wrongly, or reasons well under rules that
 * leave it open.
 *
 * Formula: insufficient: n < min; policy_gaps: DI < di; normative_complexity: DI ≥ di and AI > ai; earned_autonomy: both
 * limits met.
 * Range: exactly one of the four.
 * Undefined when: never; no verdicts are `insufficient`.
 * Differs from the paper: the paper names three states and prints no rule; this one is exhaustive and fits its means.
 * @see paper §5.3
 * @example
 * fleetState({ key: "", n: 24, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 }, { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => "insufficient"
 */
export function fleetState(cohort: GateCohort, limits: GateLimits): GateState {
  if (!isEligible(cohort, limits)) return "insufficient";
  if (!meetsDefensibility(cohort, limits)) return "policy_gaps";
  return meetsAmbiguity(cohort, limits) ? "earned_autonomy" : "normative_complexity";
}
