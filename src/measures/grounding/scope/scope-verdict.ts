import type { Citation, PartialTrace } from "../../../core/records/audit.js";
import type { CaseFrame } from "../../../core/records/case.js";
import type { ContentParts } from "../../../core/records/decision.js";
import { CHECK_NAMES, CHECKS, type CheckName } from "./checks/index.js";
import { readScopeCase } from "./scope-case.js";

/**
 * What a clear failure of a check adds to the suspicion, in log-odds. Origin: docs/scope-verification.md. Two checks are reported but have no
 * weight: in the worlds used for fitting they failed as often for sound decisions.
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

/** Constant in log-odds that the failed checks must outweigh, for decisions that restrict and for those that do not. */
export const SCOPE_CONSTANTS = { restricts: -3.4, permits: -1.82 } as const;

/** A case is flagged from this suspicion. */
export const SCOPE_THRESHOLD = 0.5;

/**
 * Suspicion that the cited rule does not support the verdict: each failed check adds its weight, scaled by how clearly it failed.
 *
 * Formula: s = σ(c + Σ w_i d_i), d_i in [0, 1] the degree to which check i failed, w_i its weight, c the constant of the decision's side.
 * Range: (0, 1); higher is more suspicious. It orders cases within a side and is not a probability: weights and constants come from simulated
 * worlds.
 * Undefined when: never; without a failed check it is σ(c).
 * Differs from the paper: not in the paper, which calls for such a check but has none (§8.2).
 * @see docs/scope-verification.md
 * @example scopeSuspicion([{ weight: 1.82 }], false) // => 0.5
 */
export function scopeSuspicion(checks: readonly { weight: number }[], restricts: boolean): number {
  const constant: number = restricts ? SCOPE_CONSTANTS.restricts : SCOPE_CONSTANTS.permits;
  const sum = checks.reduce((total, { weight }) => total + weight, constant);
  return 1 / (1 + Math.exp(-sum));
}

/** Input of a scope verification: the case as the auditor saw it, and the auditor's answer. */
export interface ScopeInput {
  frame: CaseFrame;
  content: ContentParts;
  decision: string;
  trace: PartialTrace;
  /** Where the trace's citation is in (R, P); null: it will be looked up. */
  citation: Citation | null;
}

/** One question about the step from citation to verdict. */
export interface ScopeCheck {
  name: string;
  /** null: the check does not apply here. */
  passed: boolean | null;
  /** What its failure adds to the suspicion, in log-odds. */
  weight: number;
  /** The finding, for a reader who knows the rules but not this program. */
  note: string;
}

export interface ScopeVerdict {
  /** In [0, 1]: the higher, the less the cited rule supports the verdict. An order, not a probability. */
  suspicion: number;
  /** Whether the suspicion reaches the threshold. */
  flagged: boolean;
  checks: ScopeCheck[];
}

/**
 * Structural scope verification: whether the cited rule, with its scope and exceptions, supports the step from citation to verdict. It reads words
 * and forms, not meaning, and sees only what the auditor saw. `weight` of a check is what it added here; 0 if it did not fail.
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
