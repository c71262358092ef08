import type { GateCohort, GateLimits } from "./gate-input.js";
import { isEligible, meetsLimits } from "./limits.js";

/**
 * The paper's gate: a community passes when its rates as seen meet both limits on at least the minimum of verdicts. It
 * makes no promise: at n = 25 a community with a true indefensible rate of 15 % passes the DI limit one time in four.
 *
 * Formula: n ≥ min and DI ≥ di and AI ≤ ai.
 * Range: one true or false for each cohort, in their order.
 * Undefined when: never; fewer verdicts than the minimum do not pass.
 * Differs from the paper: nothing.
 * @see paper §3.3, §9
 * @example
 * paperGate([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => []
 */
export function paperGate(cohorts: readonly GateCohort[], limits: GateLimits): boolean[] {
  return cohorts.map((cohort) => isEligible(cohort, limits) && meetsLimits(cohort, limits));
}
