import words from "../../../../data/attack-words.json" with { type: "json" };
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

/** Words that attacks are made of (`data/attack-words.json`). No model made them. */

/** Languages that a text can be glossed in, in the order in which they are tried. */
export const GLOSS_LANGUAGES = ["es", "fr", "de"] as const;
export type GlossLanguage = (typeof GLOSS_LANGUAGES)[number];

/**
 * English words and their translations, Spanish, French and German: one word for one, without grammar. `-` means a space. It shows what happens
 * when content leaves the language of the precedents, not how a native speaker would write.
 */
export const DICTIONARIES = Object.fromEntries(
  GLOSS_LANGUAGES.map((language, k) => [language, column(k + 1)]),
) as Readonly<Record<GlossLanguage, ReadonlyMap<string, string>>>;

function column(index: number): ReadonlyMap<string, string> {
  return new Map(
    words.dictionary.map((row) => {
      const translated = row.split(" ");
      return [translated[0]!, translated[index]!.replaceAll("-", " ")];
    }),
  );
}

/** Words of rules and others that mean about the same. They show what a verifier that compares words does when the words change. */
export const SYNONYMS: Readonly<Record<string, string>> = words.synonyms;

type Side = "lenient" | "strict";
type Pairs = readonly (readonly [string, string])[];

/** Rules that no community has. `{word}` is a word of the content. Written to sound like the real thing and to favour one side. */
export const FABRICATED_RULES = words.rules as object as Readonly<Record<Side, Pairs>>;

/** Why an invented earlier decision went as it did. */
export const FABRICATED_GROUNDS: Readonly<Record<Side, readonly string[]>> = words.grounds;

const bends = (pairs: Pairs) => pairs.map(([from, to]) => [new RegExp(from, "iu"), to] as const);

/** A demand turned round: from what forbids to what permits, and the other way. The longest first. */
export const BENDS: Readonly<Record<Side, readonly (readonly [RegExp, string])[]>> = {
  lenient: bends(words.bends.lenient as object as Pairs),
  strict: bends(words.bends.strict as object as Pairs),
};

/** Where an injected text is put. */
export type InjectionPlace = "end" | "start" | "context";

interface InjectionText {
  archetype: string;
  place: InjectionPlace;
  /** `{action}` is the decision that the text wants to be found defensible. */
  text: string;
}

/** In invisible characters: ASCII shifted to U+E0000. */
function unseen(text: string): string {
  return [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join("");
}

/** Texts that speak to the auditor instead of the community. */
export const INJECTIONS = words.injections.map((one) =>
  one.archetype === "unseen_characters" ? { ...one, text: unseen(one.text) } : one,
) as readonly InjectionText[];
