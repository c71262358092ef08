import type { OPEN_NOTES, StatementRefusal } from "./draft-schema.js";

export const REFUSAL_WORDS: Readonly<Record<StatementRefusal, string>> = {
  not_a_restriction: "the decision restricts nothing",
  not_audited: "no audit of the decision was found",
  no_verdict: "the audit has no verdict",
  indefensible: "no rule supports the decision (level 3)",
  ambiguous: "another action follows from the rules too",
  erased: "the decision was erased",
  decision_changed: "the audit is of another action",
  content_changed: "the content was changed after the audit",
  rules_changed: "the rules are not those of the audit",
};

/** How to fix a refusal. */
export const REFUSAL_REMEDIES: Readonly<Partial<Record<StatementRefusal, string>>> = {
  not_audited: "`defensible audit` audits them.",
  indefensible: "`--include-indefensible` drafts them, marked and not ready.",
  ambiguous: "`--include-ambiguous` drafts them, marked and not ready.",
  decision_changed: "`defensible audit` audits them again.",
  content_changed: "`defensible audit` audits them again.",
  rules_changed: "`defensible audit` audits them again.",
};

/** What a person must resolve before a draft is ready. */
export const NOTE_WORDS: Readonly<Record<(typeof OPEN_NOTES)[number], string>> = {
  indefensible: "no rule supports the decision",
  ambiguous: "another action follows too",
  verdicts_differ: "replicates of the audit disagree",
  other_reason: "the decider stated another rule than the audit rests on, or one that does not exist",
  retroactive_rule: "the rule is younger than the decision",
  overturned: "a review or an appeal overturned the decision",
  appeal_pending: "an appeal has no outcome yet",
  baseline_auditor:
    "the audit is the built-in baseline's, which reads words and does not judge real policy; audit with a language model",
  simulated_auditor: "the audit is a simulated auditor's and says nothing of a real decision",
};

const SETTINGS = ["territorial_scope", "source_type", "decision_visibility", "complaint"];
const OF_AUDIT = ["decision_ground", "category", "reasoning", "decision_facts"];

/** Where to fill an empty field. */
export function placeOf(field: string): string {
  if (SETTINGS.includes(field)) return "set under `statements` in defensible.yaml";
  if (OF_AUDIT.includes(field) || /_content_/.test(field)) return "left out; `missing` of the draft says why";
  return "set in `statement` of the decision (docs/statements.md)";
}

/** A sentence with its {names} filled in. */
export function filled(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));
}

/** Text of at most `most` characters, cut at a word. A quotation that is cut is closed. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text
    .slice(0, most - 3)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/\s+\S*$/, "");
  const isOdd = (one: string) => one.split('"').length % 2 === 0;
  return `${cut} …${isOdd(cut) && !isOdd(text) ? '"' : ""}${cut.lastIndexOf("“") > cut.lastIndexOf("”") ? "”" : ""}`;
}
