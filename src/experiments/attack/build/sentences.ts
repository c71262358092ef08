import type { CaseRule } from "../../../core/records/case.js";

/** The sentences of a rule's text below its title, as they stand there. */
export function ruleSentences(rule: CaseRule): string[] {
  const body = rule.text.startsWith(rule.title) ? rule.text.slice(rule.title.length) : rule.text;
  return body
    .split(/(?<=[.!?。！？])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}.*\p{L}/u.test(sentence));
}

/** A text cut at a word, with … where something is missing. */
export function shortened(text: string, words: number): string {
  const all = text.split(/\s+/).filter(Boolean);
  return all.length <= words ? all.join(" ") : `${all.slice(0, words).join(" ")} …`;
}

/** As an auditor cites a rule: scope, id, title, and a sentence of it. */
export function citationOf(rule: CaseRule): string {
  const [first] = ruleSentences(rule);
  const head = `${rule.scope} rule ${rule.id} "${rule.title}"`;
  return first === undefined ? head : `${head}: ${shortened(first, 30)}`;
}
