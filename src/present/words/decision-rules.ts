import type { CaseFrame } from "../../core/records/case.js";
import type { Tier } from "../../core/records/rule-set.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";
import type { PageAudit, PageDecision, PageRuleSet, ReportPage } from "../../measures/report-page.js";

/** The part of a rule's text that a tier adds. */
export interface RulePart {
  tier: Tier;
  text: string;
}

/** A rule that a decision was audited under, as far as the auditor was shown it. */
export interface RuleInForce {
  scope: "platform" | "community";
  community: string | null;
  rule: PageRuleSet["rules"][number];
  parts: RulePart[];
}

export interface RulesInForce {
  /** In the order of their rule sets, whichever of them are cited. */
  rules: RuleInForce[];
  /** What grounding looks citations up in. */
  frame: CaseFrame;
}

/** Text that adds something at a tier, as auditors are shown it. */
function ruleParts(rule: PageRuleSet["rules"][number], tier: Tier): RulePart[] {
  const parts: RulePart[] = [{ tier: "title", text: rule.title }];
  if (tier !== "title" && rule.description?.trim()) parts.push({ tier: "sidebar", text: rule.description.trim() });
  if (tier === "wiki" && rule.detail?.trim()) parts.push({ tier: "wiki", text: rule.detail.trim() });
  return parts;
}

/**
 * The rules of the version that an audit names, `<platform>+<community>` with `-` for a side without rules. Null where the page does not
 * have this version.
 */
export function rulesInForce(
  page: Pick<ReportPage, "rule_sets">,
  { community }: Pick<PageDecision, "community">,
  audit: Pick<PageAudit, "ruleset_version" | "tier">,
): RulesInForce | null {
  const version = audit.ruleset_version;
  if (!version) return null;
  const platforms = [null, ...page.rule_sets.filter(({ scope }) => scope === "platform")];
  const communities = [
    null,
    ...page.rule_sets.filter((set) => set.scope === "community" && set.community === community),
  ];
  for (const platform of platforms) {
    for (const own of communities) {
      // A version may hold a plus itself, so it is put together instead of taken apart.
      if (`${platform?.version ?? "-"}+${own?.version ?? "-"}` !== version) continue;
      return inForce([platform, own], community, version, audit.tier);
    }
  }
  return null;
}

function inForce(
  sets: readonly (PageRuleSet | null)[],
  community: string,
  rulesetVersion: string,
  tier: Tier,
): RulesInForce {
  const rules = sets.flatMap((set) =>
    (set?.rules ?? []).map((rule) => ({
      scope: set!.scope,
      community: set!.community,
      rule,
      parts: ruleParts(rule, tier),
    })),
  );
  return {
    rules,
    frame: {
      community,
      rulesetVersion,
      tier,
      rules: rules.map(({ scope, rule, parts }) => ({
        scope,
        id: rule.id,
        title: rule.title,
        text: parts.map(({ text }) => text).join("\n"),
        kind: rule.kind ?? null,
      })),
      precedents: [],
      // Grounding does not ask which actions there are.
      actions: { positive: "", negative: "" },
    },
  };
}

/** The rules that a citation stands in: those it names, and the one that the audit found. */
export function citedRules(
  { rules, frame }: RulesInForce,
  audit: Pick<PageAudit, "citation" | "policy_citation">,
): RuleInForce[] {
  const { citation } = audit;
  if (!citation?.rule_id || citation.scope === "precedent" || citation.scope === "none") return [];
  const text = audit.policy_citation?.text;
  const named = text && citation.scope === "mixed" ? rulesInText(text, frame).named : [];
  return rules.filter(
    ({ scope, rule }) =>
      (rule.id === citation.rule_id && (citation.scope === "mixed" ? named.length === 0 : scope === citation.scope)) ||
      named.some((one) => one.scope === scope && one.rule_id === rule.id),
  );
}
