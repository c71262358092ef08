import type { CaseFrame, CasePrecedent } from "../../core/records/case.js";
import type { Tier } from "../../core/records/rule-set.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";
import type {
  CitedBy,
  PageAudit,
  PageDecision,
  PagePrecedent,
  PageRuleSet,
  ReportPage,
} from "../../measures/report-page.js";
import { plural } from "./numbers.js";
import { numberAt, type Sentence, sentence } from "./sentence.js";

/** A cited precedent; null: the workspace does not have it. */
export interface CitedPrecedent {
  id: string;
  precedent: PagePrecedent | null;
  by: readonly CitedBy[];
}

export interface PrecedentsOfDecision {
  /** Those cited by the decision's own audit first. */
  cited: CitedPrecedent[];
  /** Other precedents shown to the auditor, the most similar to the content first. */
  others: PagePrecedent[];
}

export function decisionPrecedents(
  page: Pick<ReportPage, "precedents">,
  { precedents: { places, cited } }: Pick<PageDecision, "precedents">,
): PrecedentsOfDecision {
  const isCited = new Set(cited.map(({ place }) => place));
  return {
    cited: cited.map(({ id, place, by }) => ({
      id,
      precedent: place === null ? null : (page.precedents[place] ?? null),
      by,
    })),
    others: places.flatMap((place) => (isCited.has(place) ? [] : (page.precedents[place] ?? []))),
  };
}

/** A precedent as grounding reads it; redacted texts are empty. */
export function casePrecedent({ id, decision, rule_id, text, rationale }: PagePrecedent): CasePrecedent {
  return {
    id,
    text: text.text ?? "",
    decision,
    ruleId: rule_id,
    rationale: rationale?.text ?? null,
  };
}

/** Which precedents the auditor was shown, in words. `at`: pointer to the decision. */
export function precedentsSentence(
  page: Pick<ReportPage, "rule_sets" | "changed_since_run">,
  { precedents }: Pick<PageDecision, "precedents">,
  at: string,
): Sentence {
  const { shown, left_out, gone } = precedents;
  const hasChanged = page.changed_since_run?.includes("precedents") ?? false;
  const count = (field: "shown" | "left_out" | "gone") => numberAt(`${at}/precedents/${field}`, "whole");
  if (page.rule_sets.length === 0) {
    return sentence`This report was made from audits alone, which do not hold the precedents.`;
  }
  if (shown === null) {
    return hasChanged
      ? sentence`The precedents of the workspace have changed since the run, which does not record the ones that it was made with. Only those that are cited are here, as they are now.`
      : sentence`The run does not record which precedents the auditor was shown. Only those that are cited are here.`;
  }
  if (shown === 0) {
    return left_out > 0
      ? sentence`The auditor was shown no precedent: the prompt had no room for any of the ${count("left_out")} that the community has.`
      : sentence`The auditor was shown no precedent.`;
  }
  const source =
    left_out > 0
      ? sentence`The auditor was shown ${count("shown")} of the community's precedents, those most like the content; for ${count("left_out")} more the prompt had no room.`
      : shown === 1
        ? sentence`The auditor was shown the only precedent of the community.`
        : sentence`The auditor was shown all ${count("shown")} precedents of the community.`;
  const changed = hasChanged ? " The workspace's have changed since the run; they are shown as they are now." : "";
  const lost = gone > 0 ? sentence` ${count("gone")} of them ${gone === 1 ? "is" : "are"} no longer there.` : "";
  return sentence`${source}${changed}${lost}`;
}

const BY_WORDS: Readonly<Record<CitedBy, string>> = {
  audit: "cited",
  inverse: "cited for the opposite",
  human_audit: "cited in the audit of the person's decision",
  opposite_audit: "cited in the audit of the opposite",
};

/** "cited, and cited for the opposite". */
export function citedByWords(by: readonly CitedBy[]): string {
  return by.map((one) => BY_WORDS[one]).join(", and ");
}

/** How many of the shown precedents are missing from this file, in words; null if all are here. */
export function notHereWords({ shown, gone, places, cited }: PageDecision["precedents"]): string | null {
  if (shown === null) return null;
  const here = new Set([...places, ...cited.flatMap(({ place }) => place ?? [])]).size;
  const missing = shown - gone - here;
  return missing > 0
    ? `${plural(missing, "other")} that it was shown ${missing === 1 ? "is" : "are"} left out here.`
    : null;
}

/** The part of a rule's text that a tier adds. */
interface RulePart {
  tier: Tier;
  text: string;
}

/** A rule that applied to a decision, as far as the auditor was shown it. */
export interface RuleInForce {
  scope: "platform" | "community";
  community: string | null;
  rule: PageRuleSet["rules"][number];
  parts: RulePart[];
}

export interface RulesInForce {
  /** In the order of their rule sets, cited or not. */
  rules: RuleInForce[];
  /** The frame in which grounding looks up citations. */
  frame: CaseFrame;
}

/** The texts that a tier adds, as auditors see them. */
function ruleParts(rule: PageRuleSet["rules"][number], tier: Tier): RulePart[] {
  const parts: RulePart[] = [{ tier: "title", text: rule.title }];
  if (tier !== "title" && rule.description?.trim()) parts.push({ tier: "sidebar", text: rule.description.trim() });
  if (tier === "wiki" && rule.detail?.trim()) parts.push({ tier: "wiki", text: rule.detail.trim() });
  return parts;
}

/** The rules of the version that an audit names, `<platform>+<community>` with `-` for a side without rules; null if the page lacks this version. */
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
      // A version may itself contain a plus, so candidates are joined and compared instead of splitting it.
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
      // Grounding does not use the actions.
      actions: { positive: "", negative: "" },
    },
  };
}

/** The rules of a citation: those it names, and the one that the audit found. */
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
