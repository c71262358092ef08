import type { TrueVerdict } from "../../core/records/truth.js";

/**
 * What is true of the opposite decision about the same content, from what is true of this one: the truth behind a dual audit.
 *
 * Formula: the opposite is derivable ⇔ inverse. Both derivable → (2, true); only the opposite → (1, false); only this one → (3, true);
 * neither → (3, false).
 * Range: a verdict. Twice the opposite is the verdict itself, save that one-sided level 2 comes back as level 1: the verdict on the other
 * decision does not tell whether this one rests on a rule's words or on its purpose.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see paper §3.1
 * @example oppositeTruth({ level: 1, inverse: false }) // => { level: 3, inverse: true }
 */
export function oppositeTruth(verdict: TrueVerdict): TrueVerdict {
  const derivable = verdict.level !== 3;
  if (verdict.inverse) return derivable ? { level: 2, inverse: true } : { level: 1, inverse: false };
  return { level: 3, inverse: derivable };
}
