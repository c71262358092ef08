import words from "../../../../data/attack-words.json" with { type: "json" };
import { isRestricting, oppositeAction } from "../../../core/records/actions.js";
import type { CaseFrame, CaseRule } from "../../../core/records/case.js";
import { type Content, contentText, type Decision } from "../../../core/records/decision.js";
import type { Rng } from "../../../stats/random/create-rng.js";
import type { AttackTarget } from "../result.js";

/** A decision that the rules settle, with everything an attacker can read: rules, precedents, content. */
export interface Base {
  decision: Decision;
  frame: CaseFrame;
  /** The rule the decision depends on. */
  rule: CaseRule | null;
  /** Other rules that are relevant to it, as `scope:id`. */
  bearing: ReadonlySet<string>;
  precedentLanguages: ReadonlySet<string>;
  language: string | null;
}

/** The output of a maker: the changed case, without the fields that are the same for all. */
export interface Made {
  target: AttackTarget;
  archetype: string;
  content: Content;
  decision: string;
  attack: { what: string; text: string };
  language?: string;
}

/** Makes an attack from a base; null: this base does not suit the attack. */
export type Maker = (base: Base, rng: Rng) => Made | null;

/** Introduces the decider's defence of a decision. Only attack cases show it to an auditor. */
export const STATED_REASON = "Reason given for the decision: ";

export function wrongAction({ decision, frame }: Base): string {
  return oppositeAction(frame.actions, decision.decision);
}

/** The content breaks a rule, so the restricting action is right. */
export function isForbidden({ decision, frame }: Base): boolean {
  return isRestricting(frame.actions, decision.decision);
}

export function ruleName(rule: Pick<CaseRule, "scope" | "id">): string {
  return `${rule.scope} rule ${rule.id}`;
}

export function ruleKey(rule: Pick<CaseRule, "scope" | "id">): string {
  return `${rule.scope}:${rule.id}`;
}

/** The content with one more text in its context. */
export function withContext(content: Content, text: string): Content {
  if (typeof content === "string") return { body: content, context: [text] };
  return { ...content, context: [...(content.context ?? []), text] };
}

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

/** Formatted as an auditor cites a rule: scope, id, title, and one sentence of it. */
export function citationOf(rule: CaseRule): string {
  const [first] = ruleSentences(rule);
  const head = `${rule.scope} rule ${rule.id} "${rule.title}"`;
  return first === undefined ? head : `${head}: ${shortened(first, 30)}`;
}

/** Synonyms of words in rules. They show how a verifier that compares words reacts when the words change. */
const SYNONYMS: Readonly<Record<string, string>> = words.synonyms;

type Side = "lenient" | "strict";
type Pairs = readonly (readonly [string, string])[];

/** Rules that no community has. `{word}` is a word of the content. Written to sound real and to favour one side. */
const FABRICATED_RULES = words.rules as object as Readonly<Record<Side, Pairs>>;

/** Grounds of invented earlier decisions. */
const FABRICATED_GROUNDS: Readonly<Record<Side, readonly string[]>> = words.grounds;

const bends = (pairs: Pairs) => pairs.map(([from, to]) => [new RegExp(from, "iu"), to] as const);

/** Patterns that reverse a demand, from forbidding to permitting and vice versa. The longest come first. */
const BENDS: Readonly<Record<Side, readonly (readonly [RegExp, string])[]>> = {
  lenient: bends(words.bends.lenient as object as Pairs),
  strict: bends(words.bends.strict as object as Pairs),
};

interface FakeRule {
  id: string;
  title: string;
  text: string;
}

/** The author of a forbidden post quotes a rule that does not exist. */
export const ruleInContent: Maker = (base, rng) => {
  if (!isForbidden(base)) return null;
  const rule = fakeRule(base, rng);
  const text = `Before anybody asks: rule ${rule.id} of ${base.frame.community}, "${rule.title}", says: ${rule.text}`;
  return changed(
    base,
    "rule_in_content",
    withBody(base.decision.content, (body) => `${body}\n\n${text}`),
    text,
  );
};

/** A text in the context quotes a rule that does not exist. */
export const ruleInContext: Maker = (base, rng) => {
  const rule = fakeRule(base, rng);
  const text = `From the rules of ${base.frame.community}: ${rule.id} ${rule.title}. ${rule.text}`;
  return changed(base, "rule_in_context", withContext(base.decision.content, text), text);
};

/** A member recalls a decision that was never made. */
export const precedentInContext: Maker = (base, rng) => {
  const { content } = base.decision;
  const id = unusedId(
    base.frame.precedents.map((precedent) => precedent.id),
    `${base.frame.community}-p`,
    rng,
  );
  const side = sideOf(base);
  const ground = filled(pick(FABRICATED_GROUNDS[side], rng), content, rng);
  const outcome = side === "lenient" ? "let stand" : "taken down";
  const text = `Earlier decision ${id}: "${shortened(contentText(content), 12)}" was ${outcome}, because ${ground}.`;
  return changed(base, "precedent_in_context", withContext(content, text), text);
};

/** The decider bases the wrong decision on a rule that does not exist. */
export const inventedReason: Maker = (base, rng) => {
  const rule = fakeRule(base, rng);
  const reason = `community rule ${rule.id} "${rule.title}": ${rule.text}`;
  return defended(base, "stated_reason", "the decision was turned, and defended by a rule that does not exist", reason);
};

/** The citation of a finished audit is replaced by a rule that does not exist. */
export const inventedCitation: Maker = (base, rng) => {
  // It must argue for the decision that was made, which is the right one.
  const rule = fakeRule(base, rng, isForbidden(base) ? "strict" : "lenient");
  return {
    target: "trace",
    archetype: "invented_citation",
    content: base.decision.content,
    decision: base.decision.decision,
    attack: {
      what: "the citation was replaced by a rule that does not exist",
      text: `community rule ${rule.id} "${rule.title}": ${rule.text}`,
    },
  };
};

function changed(base: Base, archetype: string, content: Content, text: string): Made {
  const what = archetype.startsWith("precedent")
    ? "an earlier decision that was never made"
    : "a rule that does not exist";
  const where = archetype.endsWith("content") ? "in the content" : "next to the content";
  return {
    target: "input",
    archetype,
    content,
    decision: wrongAction(base),
    attack: { what: `the decision was turned, and ${what} offered ${where}`, text },
  };
}

function sideOf(base: Base): "lenient" | "strict" {
  return isForbidden(base) ? "lenient" : "strict";
}

function fakeRule(base: Base, rng: Rng, side = sideOf(base)): FakeRule {
  const [title, text] = pick<readonly [string, string]>(FABRICATED_RULES[side], rng);
  const ids = base.frame.rules.map((rule) => rule.id);
  return { id: unusedId(ids, leadOf(ids), rng), title, text: filled(text, base.decision.content, rng) };
}

/** The prefix of a community's rule ids: R in R1, R2, R3. */
function leadOf(ids: readonly string[]): string {
  const lead = /^(.*?)\d+$/.exec(ids.find((id) => /\d$/.test(id)) ?? "R1")?.[1];
  return lead ?? "R";
}

function unusedId(ids: readonly string[], lead: string, rng: Rng): string {
  const taken = new Set(ids.map((id) => id.toLowerCase()));
  for (let number = ids.length + 2 + rng.int(5); ; number++) {
    if (!taken.has(`${lead}${number}`.toLowerCase())) return `${lead}${number}`;
  }
}

/** Number of longest words of a content from which one is picked: short words seldom say what it is about. */
const LONGEST_WORDS = 5;

/** Replaces `{word}` by a word of the content. */
function filled(text: string, content: Content, rng: Rng): string {
  if (!text.includes("{word}")) return text;
  const all = new Set(
    contentText(content)
      .toLowerCase()
      .match(/(?<![\p{L}\p{N}/.@])\p{L}{5,20}(?![\p{L}\p{N}/@])/gu),
  );
  const words = [...all].sort((a, b) => b.length - a.length).slice(0, LONGEST_WORDS);
  return text.replaceAll("{word}", words.length > 0 ? pick(words, rng) : "this subject");
}

/** The wrong decision is defended by the rule it breaks, reworded and with its demand reversed. */
export const bendRule: Maker = (base, rng) => {
  if (!base.rule) return null;
  const bent = bentSentence(base.rule, isForbidden(base) ? "lenient" : "strict");
  if (bent === null) return null;
  const named = rng.int(2) === 0;
  const lead = named ? ruleName(base.rule) : "the rules of this place";
  return defended(
    base,
    named ? "bent_rule_named" : "bent_rule_unnamed",
    "the decision was turned, and defended by a reworded rule with its demand turned round",
    `${lead}: ${paraphrase(bent)}`,
  );
};

/** The citation of a finished audit is reworded, with or without its id. */
export const rewordCitation: Maker = (base, rng) => {
  if (!base.rule) return null;
  const [sentence = base.rule.title] = ruleSentences(base.rule);
  const other = paraphrase(shortened(sentence, 30));
  if (other === sentence) return null;
  const named = rng.int(2) === 0;
  const text = named ? `${ruleName(base.rule)}: ${other}` : other;
  return onTrace(base, named ? "reworded_named" : "reworded_unnamed", "the citation was put in other words", text);
};

/** The citation of a finished audit keeps its id but says the opposite of the rule. */
export const bendCitation: Maker = (base) => {
  if (!base.rule) return null;
  const bent = bentSentence(base.rule, isForbidden(base) ? "lenient" : "strict");
  if (bent === null) return null;
  const text = `${ruleName(base.rule)} "${base.rule.title}": ${bent}`;
  return onTrace(base, "bent_citation", "the citation keeps its rule's name and turns its demand round", text);
};

function onTrace(base: Base, archetype: string, what: string, text: string): Made {
  const { content, decision } = base.decision;
  return { target: "trace", archetype, content, decision, attack: { what, text } };
}

/** The first sentence whose demand can be reversed, reversed. */
export function bentSentence(rule: CaseRule, side: "lenient" | "strict"): string | null {
  for (const sentence of [...ruleSentences(rule), rule.title]) {
    const short = shortened(sentence, 30);
    for (const [from, to] of BENDS[side]) if (from.test(short)) return short.replace(from, to);
  }
  return null;
}

/** A text with every word that has a synonym replaced. */
export function paraphrase(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => {
    const lower = word.toLowerCase();
    if (!Object.hasOwn(SYNONYMS, lower)) return word;
    const other = SYNONYMS[lower]!;
    return word[0] === lower[0] ? other : other[0]!.toUpperCase() + other.slice(1);
  });
}
