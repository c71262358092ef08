import type { GateMode } from "../../core/gate.js";
import { type CertifiedOptions, certifiedGate } from "./certified-gate.js";
import type { GateCohort, GateLimits } from "./gate-input.js";
import { fitShrinkage, isEligible, meetsLimits, type ShrinkageFit } from "./limits.js";
import { DEFAULT_Q, shrunkGate } from "./shrunk-gate.js";

export interface PassOptions extends CertifiedOptions {
  /** Default `shrunk`. */
  mode?: GateMode;
  /** Bayesian false-pass share of the shrunk gate, default 0.05. */
  q?: number;
  /** Prior fitted before; it does not depend on the limits. */
  fit?: ShrinkageFit | undefined;
}

/** Who passes the gate in a mode: one true or false for each cohort, in their order. */
export function passGate(cohorts: readonly GateCohort[], limits: GateLimits, options: PassOptions = {}): boolean[] {
  const { mode = "shrunk", q = DEFAULT_Q } = options;
  if (mode === "paper") return paperGate(cohorts, limits);
  if (mode === "certified") return certifiedGate(cohorts, limits, options).map((verdict) => verdict.passes);
  const fit = options.fit ?? fitShrinkage(cohorts, limits.variable);
  return shrunkGate(cohorts, limits, fit, q).map((verdict) => verdict.passes);
}

/**
 * The paper's gate: a community passes when its observed rates meet both limits on at least the minimum of verdicts. It
 * makes no promise: at n = 25 a community with a true indefensible rate of 15% passes the DI limit one time in four.
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
