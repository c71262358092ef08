import type { Actions } from "./actions.js";
import type { ContentParts } from "./decision.js";
import type { Tier } from "./rule-set.js";
import type { Template } from "./trace.js";

/** A rule as the auditor sees it: its text at the tier in force, and nothing else. */
export interface CaseRule {
  scope: "platform" | "community";
  id: string;
  title: string;
  text: string;
  kind: string | null;
}

export interface CasePrecedent {
  id: string;
  text: string;
  decision: string;
  ruleId: string | null;
  rationale: string | null;
}

/**
 * Rules and precedents in force for a community at a tier: the part of a case that many decisions share.
 * Identity matters: auditors may keep what they prepared for a frame, keyed by the object itself.
 */
export interface CaseFrame {
  community: string;
  rulesetVersion: string;
  tier: Tier;
  rules: readonly CaseRule[];
  precedents: readonly CasePrecedent[];
  /** Precedents of every community, the same list in all frames of a run. The baseline compares with them; no prompt shows them. */
  allPrecedents?: readonly CasePrecedent[];
  actions: Actions;
}

/**
 * Exactly what an auditor may see: (C, R, P, ŷ). The decider's rationale, the human label, gold and truth have no place here,
 * so no auditor can read them.
 */
export interface AuditCase {
  frame: CaseFrame;
  content: ContentParts;
  decision: string;
  template: Template;
}
