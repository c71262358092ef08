import type { StatementRefusal } from "./draft.js";

/** Why a decision has no statement of reasons. */
export const REFUSAL_WORDS: Readonly<Record<StatementRefusal, string>> = {
  not_a_restriction: "the decision restricts nothing",
  not_audited: "the decision was not audited",
  no_verdict: "the audit has no verdict",
  indefensible: "no rule supports the decision (level 3)",
  ambiguous: "the opposite follows from the rules too",
  decision_changed: "the audit is of another action",
  content_changed: "the content was changed after the audit",
  rules_changed: "the rules are not those of the audit",
};

/** A sentence with its {names} filled in. */
export function filled(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));
}

/** A text of at most so many characters, cut at a word. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 2).replace(/[\ud800-\udbff]$/, "");
  return `${cut.replace(/\s+\S*$/, "")} …`;
}
