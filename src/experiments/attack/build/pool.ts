import type { AttackCandidate } from "../../../analysis/attack-candidates.js";
import type { Actions } from "../../../core/records/actions.js";

/** A decision that can become a case, by what is known before its content is read. */
export interface Candidate extends AttackCandidate {
  /** How it came into the pool. */
  chosen: "known" | "judged";
  /** The rules settle it, so that the other decision would be wrong. */
  settled: boolean;
  /** The restricting action is the right one. */
  forbidden: boolean;
}

export interface Pool {
  candidates: Candidate[];
  counts: {
    verdicts: number;
    /** Verdicts whose truth or gold is known. */
    known: number;
    /** Candidates for clean cases. */
    clean: number;
    /** Candidates that attacks can be made of. */
    settled: number;
    /** In which the restricting action is right. */
    forbidden: number;
    /** Left out because truth or gold says that the rules leave them open: their flip would be no attack. */
    open: number;
    /** Left out because truth or gold says that the decision is wrong or that no rule covers it. */
    indefensible: number;
  };
}

/**
 * Which decisions are clean, and which of them are settled. Where truth or gold says what the rules say it alone decides: an auditor's own
 * verdict would leave just those clean cases in that it finds easy. Otherwise clean is a verdict of level 1 or 2 with a grounded citation, and
 * settled one of level 1 without a defensible opposite.
 */
export function definePool(rows: readonly AttackCandidate[], actions: Actions): Pool {
  const candidates: Candidate[] = [];
  const counts = { verdicts: rows.length, known: 0, clean: 0, settled: 0, forbidden: 0, open: 0, indefensible: 0 };
  for (const row of rows) {
    const known = row.known_level !== null && row.known_inverse !== null;
    const level = known ? row.known_level! : row.level;
    const inverse = known ? row.known_inverse! : row.inverse;
    if (known) counts.known++;
    if (known && level === 3) counts.indefensible++;
    if (level === 3 || (!known && row.grounded !== true)) continue;
    const settled = level === 1 && !inverse;
    const forbidden = row.decision === actions.positive;
    counts.clean++;
    if (settled) counts.settled++;
    else if (known) counts.open++;
    if (settled && forbidden) counts.forbidden++;
    candidates.push({ ...row, chosen: known ? "known" : "judged", settled, forbidden });
  }
  return { candidates, counts };
}
