import type { DualClass } from "../../measures/metrics/paired/dual-audit.js";

/** One audit of a pair: what was said of an action. */
export interface DualSide {
  /** null: no verdict. */
  level: number | null;
  /** null: no probability. */
  p_defensible: number | null;
}

export interface DualVerdict {
  /** null: one of the two audits has no verdict. */
  state: DualClass | null;
  /** Probability that the opposite alone can be derived, the two audits taken as independent: (1 − p) q. null: one has no probability. */
  suspicion: number | null;
  /** The opposite alone can be derived. */
  flagged: boolean;
  /** Why there is no state; null where there is one. */
  reason: string | null;
}

/**
 * The dual audit as a layer of defence: decision and opposite are audited apart, and a decision whose opposite alone can be derived is a model's
 * error and flagged. Both derivable is an ambiguous rule, neither a case that no rule covers: signs, but of another fault.
 */
export function dualVerdict(own: DualSide, opposite: DualSide): DualVerdict {
  const suspicion =
    own.p_defensible === null || opposite.p_defensible === null ? null : (1 - own.p_defensible) * opposite.p_defensible;
  if (own.level === null || opposite.level === null) {
    return { state: null, suspicion, flagged: false, reason: "one of the two audits has no verdict" };
  }
  const state = classOf(own.level < 3, opposite.level < 3);
  return { state, suspicion, flagged: state === "model_error", reason: null };
}

function classOf(own: boolean, opposite: boolean): DualClass {
  if (own) return opposite ? "ambiguous" : "determinate";
  return opposite ? "model_error" : "void";
}
