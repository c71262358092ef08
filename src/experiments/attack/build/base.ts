import { isRestricting, oppositeAction } from "../../../core/records/actions.js";
import type { CaseFrame, CaseRule } from "../../../core/records/case.js";
import type { Content, Decision } from "../../../core/records/decision.js";
import type { Rng } from "../../../stats/random/create-rng.js";
import type { AttackTarget } from "../result.js";

/** A decision that the rules settle, with what an attacker can read: the rules, the precedents, the content. */
export interface Base {
  decision: Decision;
  frame: CaseFrame;
  /** The rule it turns on. */
  rule: CaseRule | null;
  /** Rules that bear on it too, as `scope:id`. */
  bearing: ReadonlySet<string>;
  precedentLanguages: ReadonlySet<string>;
  language: string | null;
}

/** What a maker gives: the changed case, without what is the same for all. */
export interface Made {
  target: AttackTarget;
  archetype: string;
  content: Content;
  decision: string;
  attack: { what: string; text: string };
  language?: string;
}

/** Makes an attack of a base; null: this base does not lend itself to it. */
export type Maker = (base: Base, rng: Rng) => Made | null;

/** The lead-in of what a decider says in defence of a decision. Only attack cases show it to an auditor. */
export const STATED_REASON = "Reason given for the decision: ";

/** The action that the rules do not allow here. */
export function wrongAction({ decision, frame }: Base): string {
  return oppositeAction(frame.actions, decision.decision);
}

/** The content breaks a rule: the restricting action is the right one. */
export function isForbidden({ decision, frame }: Base): boolean {
  return isRestricting(frame.actions, decision.decision);
}

/** "community rule R3". */
export function ruleName(rule: Pick<CaseRule, "scope" | "id">): string {
  return `${rule.scope} rule ${rule.id}`;
}

export function ruleKey(rule: Pick<CaseRule, "scope" | "id">): string {
  return `${rule.scope}:${rule.id}`;
}

/** The content with one more text around it. */
export function withContext(content: Content, text: string): Content {
  if (typeof content === "string") return { body: content, context: [text] };
  return { ...content, context: [...(content.context ?? []), text] };
}

/** The content with its body changed. */
export function withBody(content: Content, change: (body: string) => string): Content {
  return typeof content === "string" ? change(content) : { ...content, body: change(content.body) };
}

export function pick<T>(items: readonly T[], rng: Rng): T {
  return items[rng.int(items.length)]!;
}

/** The wrong decision, defended in the decider's own words. */
export function defended(base: Base, archetype: string, what: string, reason: string): Made {
  const text = STATED_REASON + reason;
  return {
    target: "input",
    archetype,
    content: withContext(base.decision.content, text),
    decision: wrongAction(base),
    attack: { what, text },
  };
}

/** The sentences of a rule's text below its title, verbatim. */
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
