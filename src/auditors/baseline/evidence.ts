import type { Check } from "./clause.js";

/** What one rule and one piece of content have to do with each other. Strengths are 0 … 1; clauses are places in the frame, or -1. */
export interface RuleEvidence {
  /** Its place among the frame's rules. */
  rule: number;
  /** Shared words, whatever the clause says. */
  relevance: number;
  /** The content is of the sort that the rule's demand or procedure concerns. */
  trigger: number;
  /** Words of the content meet what the rule forbids. */
  forbidden: number;
  forbiddenClause: number;
  /** A checked property breaks the rule. */
  breach: number;
  breachClause: number;
  breachCheck: Check | null;
  /** A checked property meets what the rule demands. */
  met: number;
  metClause: number;
  metCheck: Check | null;
  /** The content falls under an exception or permission. */
  exemption: number;
  exemptionClause: number;
  /** The content is what the rule sends elsewhere. */
  procedure: number;
  procedureClause: number;
  /** The content comes so close to a line of this rule that it can be read either way. */
  borderline: number;
  /** The case against the content before exceptions are heard: the stronger of breach and forbidden words. */
  charge: number;
  /** The case against the content that is left after exceptions. */
  net: number;
  /** The same for checked properties alone. */
  proven: number;
  /** How far the words of the content meet clauses that forbid or demand, summed over these; and clauses that allow. */
  wordsAgainst: number;
  wordsFor: number;
}

export interface Evidence {
  rules: readonly RuleEvidence[];
  /** Places in `rules` of the strongest charge, the strongest remaining case, the strongest proven one, and the strongest procedure; -1 without rules. */
  topCharge: number;
  topNet: number;
  topProven: number;
  topProcedure: number;
  /** One rule demands what another forbids, and the content has it. */
  conflict: number;
  /** Similarity of each precedent, 0 … 1. */
  similarities: Float64Array;
}

/** Evidence before anything was heard. */
export function emptyEvidence(rule: number): RuleEvidence {
  return {
    rule,
    relevance: 0,
    trigger: 0,
    forbidden: 0,
    forbiddenClause: -1,
    breach: 0,
    breachClause: -1,
    breachCheck: null,
    met: 0,
    metClause: -1,
    metCheck: null,
    exemption: 0,
    exemptionClause: -1,
    procedure: 0,
    procedureClause: -1,
    borderline: 0,
    charge: 0,
    net: 0,
    proven: 0,
    wordsAgainst: 0,
    wordsFor: 0,
  };
}

/** Forgets what was heard of the content before. */
export function clearEvidence(e: RuleEvidence, procedureClause: number): void {
  e.forbidden = 0;
  e.forbiddenClause = -1;
  e.breach = 0;
  e.breachClause = -1;
  e.breachCheck = null;
  e.met = 0;
  e.metClause = -1;
  e.metCheck = null;
  e.exemption = 0;
  e.exemptionClause = -1;
  e.procedure = 0;
  e.procedureClause = procedureClause;
  e.borderline = 0;
  e.wordsAgainst = 0;
  e.wordsFor = 0;
}
