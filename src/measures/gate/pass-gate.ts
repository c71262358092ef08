import type { GateMode } from "../../core/gate.js";
import { type CertifiedOptions, certifiedGate } from "./certified-gate.js";
import type { GateCohort, GateLimits } from "./gate-input.js";
import { paperGate } from "./paper-gate.js";
import { fitShrinkage, type ShrinkageFit } from "./shrinkage-fit.js";
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
