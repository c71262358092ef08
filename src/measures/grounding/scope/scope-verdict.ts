import type { Citation, PartialTrace } from "../../../core/records/audit.js";
import type { CaseFrame } from "../../../core/records/case.js";
import type { ContentParts } from "../../../core/records/decision.js";
import { CHECK_NAMES, CHECKS, type CheckName } from "./checks/index.js";
import { readScopeCase } from "./scope-case.js";

/**
 * What a check that failed outright adds to the suspicion, in log-odds. Where they come from: docs/scope-verification.md. Two checks are reported and
 * not counted: in the worlds they were weighed in they failed as often for sound decisions.
 */
export const SCOPE_WEIGHTS: Readonly<Record<CheckName, number>> = {
  rule_exists: 4,
  quote_verbatim: 4,
  quote_of_cited_rule: 4,
  nearest_rule: 0,
  condition_met: 3,
  prohibition_unmet: 4.5,
  exception: 1,
  precedence: 0,
  polarity: 1,
  prohibitions_denied: 0.5,
  level_fits: 0.2,
  precedents_agree: 0.5,
};

/** What has to be outweighed, in log-odds: of a decision that restricts, and of one that does not. */
export const SCOPE_CONSTANTS = { restricts: -3.4, permits: -1.82 } as const;

/** From here on a case is flagged. */
export const SCOPE_THRESHOLD = 0.5;

/**
 * Suspicion that the cited rule does not support the verdict: each check that failed adds its weight, as plainly as it failed.
 *
 * Formula: s = σ(c + Σ w_i d_i), d_i in [0, 1] the degree to which check i failed, w_i its weight, c the constant of the decision's side.
 * Range: (0, 1); higher is more suspicious. An order within a side, not a probability: weights and constants come from simulated worlds.
 * Undefined when: never; no failed check gives σ(c).
 * Differs from the paper: not in the paper, which asks for such a check and has none (§8.2).
 * @see docs/scope-verification.md
 * @example scopeSuspicion([{ weight: 1.82 }], false) // => 0.5
 */
export function scopeSuspicion(checks: readonly { weight: number }[], restricts: boolean): number {
  const constant: number = restricts ? SCOPE_CONSTANTS.restricts : SCOPE_CONSTANTS.permits;
  const sum = checks.reduce((total, { weight }) => total + weight, constant);
  return 1 / (1 + Math.exp(-sum));
}

/** What a scope verification reads: the case as the auditor saw it, and what the auditor said of it. */
export interface ScopeInput {
  frame: CaseFrame;
  content: ContentParts;
  decision: string;
  trace: PartialTrace;
  /** Where the trace's citation is in (R, P); null: it is looked up. */
  citation: Citation | null;
}

/** One question about the step from citation to verdict. */
export interface ScopeCheck {
  name: string;
  /** null: the question does not arise here. */
  passed: boolean | null;
  /** What failing it adds to the suspicion, in log-odds. */
  weight: number;
  /** What was found, for a reader who knows the rules and not this program. */
  note: string;
}

export interface ScopeVerdict {
  /** In [0, 1]: higher, the less the cited rule supports the verdict. No probability: an order. */
  suspicion: number;
  /** The suspicion reaches the threshold. */
  flagged: boolean;
  checks: ScopeCheck[];
}

/**
 * Scope verification by structure: does the cited rule, with its scope and exceptions, support the step from citation to verdict? It reads words and
 * forms, not meaning; it sees what the auditor saw and nothing else. `weight` of a check is what it added here, 0 where it did not fail.
 * @see paper §8.2
 */
export function verifyScope(input: ScopeInput): ScopeVerdict {
  const scope = readScopeCase(input);
  const checks = CHECK_NAMES.map((name): ScopeCheck => {
    const { passed, degree, note } = CHECKS[name](scope);
    return { name, passed, weight: SCOPE_WEIGHTS[name] * degree, note };
  });
  const suspicion = scopeSuspicion(checks, scope.restricts);
  return { suspicion, flagged: suspicion >= SCOPE_THRESHOLD, checks };
}
