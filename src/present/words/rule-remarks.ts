import type { RuleFinding } from "../../measures/grounding/lint/finding.js";
import { lintRules } from "../../measures/grounding/lint/lint-rules.js";
import type { PageRuleSet, ReportPage } from "../../measures/report-page.js";
import { newestFirst, ruleKey } from "./rule-texts.js";

/**
 * What `defensible rules lint` remarks on the rules in force, by `ruleKey`; a rule without remarks has an empty list. A community's rules
 * are read beside the platform's, which hold together with them.
 */
export function ruleRemarks({ rule_sets }: Pick<ReportPage, "rule_sets">): Map<string, RuleFinding[]> {
  const newest = newestFirst(rule_sets);
  const platform = newest.find(({ scope }) => scope === "platform");
  const remarks = new Map<string, RuleFinding[]>();
  const done = new Set<string | null>();
  for (const set of newest) {
    const owner = set.scope === "platform" ? null : set.community;
    if (done.has(owner)) continue;
    done.add(owner);
    const key = (rule_id: string) => ruleKey({ scope: set.scope, community: owner, rule_id });
    for (const { id } of set.rules) remarks.set(key(id), []);
    for (const found of lintRules((platform && platform !== set ? [platform, set] : [set]).map(copied))) {
      if (found.scope === set.scope) remarks.get(key(found.rule_id))?.push(found);
    }
  }
  return remarks;
}

/** How many remarks are on the wording; null where the lint does not read the rule's language. */
export function wordingRemarks(remarks: readonly RuleFinding[]): number | null {
  return remarks.some(({ check }) => check === "language_not_read") ? null : remarks.length;
}

function copied(set: PageRuleSet) {
  return { ...set, rules: set.rules.map((rule) => ({ ...rule })) };
}
