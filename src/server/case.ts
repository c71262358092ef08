import { RuleBook } from "../audit/rules-in-force.js";
import type { Decision } from "../core/records/decision.js";
import type { RuleSet } from "../core/records/rule-set.js";
import type { PageDecision, PageRuleSet } from "../measures/report-page.js";
import { decisionParts, pageAudit } from "../present/page/page-decision.js";
import { pageRuleSet } from "../present/page/page-subject.js";
import { shownWriting } from "../present/page/writing.js";

/** What a reviewer needs to decide one case. */
export interface Case {
  /** Its audit is empty but for the version of the rules until it may be seen. */
  decision: PageDecision;
  /** The rules in force: the platform's, then the community's. */
  rule_sets: PageRuleSet[];
}

/**
 * A decision as the views show one. Without the audit nothing of it is there: neither its verdict nor what it cites.
 * @param audit as it was written; null: it is missing, or not to be seen yet
 */
export function caseOf(
  decision: Decision,
  audit: Record<string, unknown> | null,
  sets: readonly RuleSet[],
  known: { ruleset_version?: unknown } | null,
): Case {
  const named = typeof known?.ruleset_version === "string" ? known.ruleset_version : (decision.ruleset_version ?? null);
  const rules = new RuleBook(sets).inForce({ ...decision, ruleset_version: named });
  const veiled = { decision: decision.decision, ruleset_version: rules.version, tier: "wiki", outcome: "unscored" };
  const { gold: _, ...parts } = decisionParts(decision, shownWriting);
  return {
    decision: {
      ...parts,
      // The known answer of a test item, and labels, are not for the one who is asked.
      gold: null,
      human_label: null,
      id: decision.id,
      community: decision.community,
      decision: decision.decision,
      labels: [],
      reasons: [],
      precedents: { shown: null, left_out: 0, gone: 0, places: [], cited: [] },
      audit: pageAudit(audit ?? veiled, shownWriting),
      human_audit: null,
      opposite_audit: null,
    },
    rule_sets: [rules.platform, rules.community].flatMap((set) => (set ? [pageRuleSet(set)] : [])),
  };
}
