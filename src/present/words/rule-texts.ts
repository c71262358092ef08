import { countOf, type Estimate } from "../../core/estimate.js";
import type { GateMode, GateVariable } from "../../core/names.js";
import type { Tier } from "../../core/records/rule-set.js";
import { compareText } from "../../core/text-checks.js";
import type { DiffChanges, DiffEffect, GateChange, RulesDiff } from "../../experiments/rules/diff/result.js";
import type { RuleAmbiguity } from "../../measures/gate/advice.js";
import type { RuleFinding } from "../../measures/grounding/lint/finding.js";
import { lintRules } from "../../measures/grounding/lint/lint-rules.js";
import type { PageRuleSet, ReportPage } from "../../measures/report-page.js";
import { byCount, plural, roundedShare, weeksText, whole } from "./numbers.js";
import { countedAt, named, numberAt, type Sentence, sentence } from "./sentence.js";
import { wordOr } from "./vocabulary.js";
import { gateName } from "./words.js";

/** What the auditor reads of each rule. */
const TIER_TEXTS: Readonly<Record<Tier, string>> = {
  title: "titles alone",
  sidebar: "titles and descriptions",
  wiki: "all of the text",
};

/** Also accepts an unknown tier from another tool's file. */
export function tierText(tier: string): string {
  return wordOr(TIER_TEXTS, tier);
}

/** With its code, for first use: "titles alone (title)". */
export function tierWithCode(tier: string): string {
  return Object.hasOwn(TIER_TEXTS, tier) ? `${tierText(tier)} (${tier})` : tierText(tier);
}

/** "title to wiki" in the same words; anything else unchanged. */
export function stepText(step: string): string {
  const tiers = step.split(" to ");
  return tiers.every((tier) => Object.hasOwn(TIER_TEXTS, tier)) ? tiers.map(tierText).join(" to ") : step;
}

/** For the gate's advice: the rules that account for most of a community's ambiguous verdicts, as `defensible gate` counts them. */
export function rulesByCommunity(
  page: ReportPage,
  variable: GateVariable,
): (community: string) => readonly RuleAmbiguity[] | undefined {
  const titles = new Map(page.report.rules.map((rule) => [ruleKey(rule), rule.title]));
  const rules = new Map(
    page.communities.map(({ community, ambiguous_rules }) => [
      community,
      ambiguous_rules.map(({ scope, owner, rule_id, n, inverse_yes, inverse_yes_pure, open_labels }) => ({
        rule_id,
        scope,
        n,
        yes: variable === "ai" ? inverse_yes : inverse_yes_pure,
        open: inverse_yes_pure,
        title: titles.get(ruleKey({ scope, community: owner, rule_id })) ?? "title not known",
        open_labels,
      })),
    ]),
  );
  return (community) => rules.get(community);
}

/** The remarks of `defensible rules lint` on the current rules, by `ruleKey` (empty if none). A community's rules are checked with the platform's. */
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

/** The number of remarks on the wording; null if the lint does not read the rule's language. */
export function wordingRemarks(remarks: readonly RuleFinding[]): number | null {
  return remarks.some(({ check }) => check === "language_not_read") ? null : remarks.length;
}

function copied(set: PageRuleSet) {
  return { ...set, rules: set.rules.map((rule) => ({ ...rule })) };
}

type PageRule = PageRuleSet["rules"][number];

/** Identifies a rule of the platform or of a community. */
export interface RuleReference {
  scope: string;
  community: string | null;
  rule_id: string;
}

/** A rule as worded in one version of its set. */
export interface RuleVersion {
  version: string;
  effective_from: string | null;
  rule: PageRule;
}

/** Identifies a row of the report's rules; a rule cited together with the platform's has its own row. */
export function referenceKey({ scope, community, rule_id }: RuleReference): string {
  return JSON.stringify([scope, scope === "platform" ? null : community, rule_id]);
}

/** Identifies a wording; a JSON key that no name can forge. */
export function ruleKey({ scope, community, rule_id }: RuleReference): string {
  return JSON.stringify([scope === "platform" ? null : community, rule_id]);
}

/** A rule in the address of a page. The platform has no name, and a community may have any. */
export function rulePlace({ scope, community, rule_id }: RuleReference): string[] {
  return [scope, scope === "platform" ? "-" : (community ?? ""), rule_id];
}

/** Every version of every rule, newest first, by `ruleKey`. */
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

/** Sets without a date were there from the start, so they count as the oldest. */
function newestFirst(sets: readonly PageRuleSet[]): PageRuleSet[] {
  return [...sets].sort(
    (a, b) => compareText(b.effective_from ?? "", a.effective_from ?? "") || compareText(b.version, a.version),
  );
}

/** Versions with different wording, each under the newest set that has it. */
export function distinctVersions(versions: readonly RuleVersion[]): RuleVersion[] {
  const seen = new Set<string>();
  return versions.filter(({ rule: { title, description, detail } }) => {
    const text = JSON.stringify([title, description ?? "", detail ?? ""]);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** What was rewritten: "rule R7 of indie-games", "3 rules of 2 communities", "the precedents". */
export function rewritten(what: RulesDiff["what"], changes: DiffChanges | null): string {
  const rules = changes?.rules.filter(({ shown }) => shown) ?? [];
  if (what === "precedents" || what === "precedents_off") return "the precedents";
  if (rules.length === 0) return "the rules";
  const owners = new Set(rules.map(({ community }) => community));
  const [only] = owners;
  const of =
    owners.size > 1
      ? plural(owners.size, "rule set")
      : only === null || only === undefined
        ? "the platform"
        : named(only);
  return `${rules.length === 1 ? `rule ${named(rules[0]!.rule_id)}` : plural(rules.length, "rule")} of ${of}`;
}

/** "849 of 892 decisions (95%)". */
export function shareOf(estimate: Estimate, what = ""): string {
  if (estimate.estimate === null) return "unknown";
  return `${whole(countOf(estimate))} of ${whole(estimate.n)}${what && ` ${what}`} (${roundedShare(estimate.estimate)})`;
}

/**
 * What happens to the open decisions: how many can go either way before and after, and how many become indefensible, since a rule can settle a case
 * against the decision. Indefensible decisions whose opposite holds count towards the Ambiguity Index but are not open.
 */
export function openChangeText({
  arms,
  new_indefensible: worse,
}: Pick<DiffEffect, "arms" | "new_indefensible">): string {
  const price = worse.n === 0 ? "" : `; ${whole(worse.n)} ${byCount(worse.n, "becomes", "become")} indefensible`;
  return `go from ${shareOf(arms[0]!.ambiguity_pure)} to ${shareOf(arms[1]!.ambiguity_pure)}${price}`;
}

/** The mode in which a change shows: the gate's own if it automates more or fewer decisions; else the raw rates, which react first; else null. */
export function changedMode({ mode, by_mode }: Pick<GateChange, "mode" | "by_mode">): GateMode | null {
  const differs = ({ before, after }: GateChange["by_mode"][GateMode]) =>
    before.decisions !== after.decisions || before.passing !== after.passing;
  return [mode, "paper" as const].find((one) => differs(by_mode[one])) ?? null;
}

/** A rewrite's effect on the gate, in sentences: who passes, reviews saved, risk, what is missing. `at`: pointer to the change of the gate. */
export function gateChangeSentences(gate: GateChange, at: string): Sentence[] {
  const mode = changedMode(gate);
  const all = sentence`${numberAt(`${at}/communities`, "whole")} ${byCount(gate.communities, "community", "communities")}`;
  if (mode === null) {
    const side = `${at}/by_mode/${gate.mode}/after`;
    return [
      sentence`${numberAt(`${side}/passing`, "whole")} of ${all} pass the ${gateName(gate.mode)}, as before.`,
      ...stillMissing(gate, at),
    ];
  }
  const place = `${at}/by_mode/${mode}`;
  return [
    sentence`${numberAt(`${place}/after/passing`, "whole")} of ${all} pass the ${gateName(mode)}, before ${numberAt(`${place}/before/passing`, "whole")}.`,
    savedSentence(gate, mode, place),
    ...(mode === gate.mode ? [] : stillMissing(gate, at)),
  ];
}

/** Reviews that the gate saves after the change, in words: per week if decisions have dates, else per 1,000 decisions. */
export function savedReviews(
  { by_mode, decisions, weeks }: Pick<GateChange, "by_mode" | "decisions" | "weeks">,
  mode: GateMode,
): { text: string; unit: string; basis: string } {
  const { before, after } = by_mode[mode];
  const saved = after.decisions - before.decisions;
  const size = Math.abs(saved);
  return {
    text: weeks === null ? whole(Math.round((1000 * size) / decisions)) : perWeek(size / weeks),
    unit: `${saved < 0 ? "more" : "fewer"} reviews ${weeks === null ? "per 1,000 decisions" : "a week"}`,
    basis: `${whole(size)} of ${plural(decisions, "decision")}${weeks === null ? "" : ` in ${weeksText(weeks)}`}`,
  };
}

function savedSentence(gate: GateChange, mode: GateMode, place: string): Sentence {
  const { text, unit, basis } = savedReviews(gate, mode);
  const risk = (side: "before" | "after") =>
    sentence`${numberAt(`${place}/${side}/indefensible`, "whole")} of ${numberAt(`${place}/${side}/decisions`, "whole")}`;
  return sentence`That is about ${text} ${unit} (${basis}). Automated without a supporting rule: ${risk("after")}, before ${risk("before")}.`;
}

/** Below one per week, keeps a decimal. */
function perWeek(value: number): string {
  return value >= 1 ? whole(Math.round(value)) : value.toFixed(1);
}

/** What the gate's own mode still requires to let a compared community pass. */
function stillMissing({ mode, compared }: GateChange, at: string): Sentence[] {
  return compared.flatMap(({ community, after }, place) => {
    const more = after.more_decisions_needed[mode];
    if (!more) return [];
    const count = countedAt(`${at}/compared/${place}/after/more_decisions_needed/${mode}`, more, "more decision");
    return [sentence`For ${named(community)} the ${gateName(mode)} needs ${count} at these rates.`];
  });
}
