import type { PageRuleSet, ReportPage } from "../../measures/report-page.js";

export type PageRule = PageRuleSet["rules"][number];

/** Whose rule it is: the platform's, or a community's own. */
export interface RuleReference {
  scope: string;
  community: string | null;
  rule_id: string;
}

/** A rule as one version of its set words it. */
export interface RuleVersion {
  version: string;
  effective_from: string | null;
  rule: PageRule;
}

/** Which row of the report's rules; what is cited together with the platform's rules has a row of its own. */
export function referenceKey({ scope, community, rule_id }: RuleReference): string {
  return JSON.stringify([scope, scope === "platform" ? null : community, rule_id]);
}

/** Whose wording: a key that no name can forge. */
export function ruleKey({ scope, community, rule_id }: RuleReference): string {
  return JSON.stringify([scope === "platform" ? null : community, rule_id]);
}

/** A rule in the address of a page. The platform has no name, and a community may be called anything. */
export function rulePlace({ scope, community, rule_id }: RuleReference): string[] {
  return [scope, scope === "platform" ? "-" : (community ?? ""), rule_id];
}

/** Every version of every rule, the newest first, by `ruleKey`. */
export function ruleTexts({ rule_sets }: Pick<ReportPage, "rule_sets">): Map<string, RuleVersion[]> {
  const texts = new Map<string, RuleVersion[]>();
  for (const { scope, community, version, effective_from, rules } of newestFirst(rule_sets)) {
    for (const rule of rules) {
      const key = ruleKey({ scope, community, rule_id: rule.id });
      const known = texts.get(key);
      const one = { version, effective_from, rule };
      if (known) known.push(one);
      else texts.set(key, [one]);
    }
  }
  return texts;
}

/** Sets without a date stand before all that have one: they were there from the start. */
export function newestFirst(sets: readonly PageRuleSet[]): PageRuleSet[] {
  return [...sets].sort(
    (a, b) => compare(b.effective_from ?? "", a.effective_from ?? "") || compare(b.version, a.version),
  );
}

/** Versions whose wording differs, each under the newest set that has it. */
export function distinctVersions(versions: readonly RuleVersion[]): RuleVersion[] {
  const seen = new Set<string>();
  return versions.filter(({ rule: { title, description, detail } }) => {
    const text = JSON.stringify([title, description ?? "", detail ?? ""]);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
