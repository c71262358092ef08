import type { Rule, RuleSet } from "../../../core/records/rule-set.js";
import type { Lint } from "../../../core/results/lint.js";
import { stem, tokenise } from "../../../text/words.js";
import { STOP_WORDS } from "../scope/telling-words.js";

/** All checks of the lint, in the order of its report. */
export const LINT_CHECKS = [
  "contradiction",
  "duplicate",
  "dangling_reference",
  "catch_all",
  "undefined_term",
  "hedge",
  "elsewhere",
  "empty_tier",
  "often_open",
  "never_cited",
  "language_not_read",
] as const;

export type LintCheck = (typeof LINT_CHECKS)[number];

/** One remark about one rule: what was found, why it matters, what to do. `quote`: the words concerned; `other`: a second rule involved. */
export type RuleFinding = Lint["findings"][number] & { check: LintCheck };
/** The part of a rule that a finding is about. */
export type RulePart = NonNullable<RuleFinding["part"]>;

export interface PlacedRule {
  set: RuleSet;
  rule: Rule;
}

export function referenceTo({ set, rule }: PlacedRule): NonNullable<RuleFinding["other"]> {
  return { scope: set.scope, community: set.scope === "community" ? (set.community ?? null) : null, rule_id: rule.id };
}

type Remark = Pick<RuleFinding, "check" | "severity" | "message" | "remedy"> &
  Partial<Pick<RuleFinding, "part" | "quote" | "other">>;

export function finding(placed: PlacedRule, remark: Remark): RuleFinding {
  return { ...referenceTo(placed), version: placed.set.version, part: null, quote: null, ...remark };
}

const PARTS: readonly RulePart[] = ["title", "description", "detail"];

/** The parts that have text. */
export function partsOf(rule: Rule): { part: RulePart; text: string }[] {
  return PARTS.map((part) => ({ part, text: rule[part]?.trim() ?? "" })).filter(({ text }) => text !== "");
}

/** What a sentence of a rule does to something: forbid it or allow it. */
export interface Clause {
  forbids: boolean;
  /** It applies under a condition, so it is about something narrower than its words. */
  conditional: boolean;
  part: RulePart;
  text: string;
  /** The stems of its topic. */
  topic: Set<string>;
}

const FORBIDS_FIRST = /^(?:no|do not|don['’]t|never|avoid|please (?:do not|don['’]t))\s+(?<what>.+)$/iu;
const FORBIDS_LAST =
  /^(?<what>.+?)\s+(?:is|are|will be|gets?|may)\s+(?:always |strictly |also )?(?:not (?:be )?(?:allowed|permitted|welcome|accepted|posted|shared)|never (?:allowed|permitted|welcome)|forbidden|prohibited|banned|removed|deleted)\b/iu;
const ALLOWS_FIRST =
  /^(?:allowed|permitted|welcome|you may|you can|you are free to|feel free to|members may|posts may|comments may)(?: is| are)?(?:\s*:)?\s+(?<what>(?!not\b).+)$/iu;
const ALLOWS_LAST =
  /^(?<what>.+?)\s+(?:is|are)\s+(?:always |also |all )?(?:allowed|permitted|welcome|fine|encouraged|accepted|ok|okay)\b/iu;

export const CONDITIONAL =
  /\b(?:if|when|unless|except|only|provided|as long as|until|where|while|without|after|before|outside|instead|but|however|other than|more than|fewer than|less than|at least|at most|up to)\b/iu;

/** The sentences of a rule that forbid or allow something. */
export function clausesOf(placed: PlacedRule): Clause[] {
  return partsOf(placed.rule).flatMap(({ part, text }) =>
    sentences(text).flatMap((sentence) => {
      const forbidden = FORBIDS_FIRST.exec(sentence) ?? FORBIDS_LAST.exec(sentence);
      const allowed = forbidden ? null : (ALLOWS_FIRST.exec(sentence) ?? ALLOWS_LAST.exec(sentence));
      const what = (forbidden ?? allowed)?.groups?.what;
      if (!what) return [];
      const topic = topicStems(what);
      const conditional = CONDITIONAL.test(sentence);
      return topic.size === 0 ? [] : [{ forbids: forbidden !== null, conditional, part, text: sentence, topic }];
    }),
  );
}

/** Clauses without a condition: only these can be compared with each other word for word. */
export function outright(clauses: readonly Clause[]): Clause[] {
  return clauses.filter(({ conditional }) => !conditional);
}

/** A text split at full stops, semicolons, question marks and line ends. A full stop inside a number or an abbreviation does not end a sentence. */
export function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+(?=[\p{Lu}\p{N}"“'([])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** The topic of a text: the stems of its words, without those that every rule has. */
export function topicStems(text: string): Set<string> {
  const stems = new Set<string>();
  for (const token of tokenise(text)) {
    if (token.length > 1 && !STOP_WORDS.has(token) && !/^\d+$/.test(token)) stems.add(stem(token));
  }
  return stems;
}

/**
 * The overlap of two sets (Jaccard index).
 *
 * Formula: |A ∩ B| / |A ∪ B|.
 * Range: 0 to 1.
 * Undefined when: both are empty; then it is 0, since nothing is shared.
 * @example sharedShare(new Set(["a", "b"]), new Set(["b", "c"])) // => 0.3333
 */
export function sharedShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of a) if (b.has(item)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
