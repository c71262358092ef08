import alder from "../../../data/books/alder.json" with { type: "json" };
import harbour from "../../../data/books/harbour.json" with { type: "json" };
import meridian from "../../../data/books/meridian.json" with { type: "json" };
import type { Rule } from "../../core/records/rule-set.js";
import type { Rng } from "../../stats/random/create-rng.js";

type RuleKind = NonNullable<Rule["kind"]>;

/** Languages of content other than English; rules are in English. */
export const SECOND_LANGUAGES = ["es", "de"] as const;
export type SecondLanguage = (typeof SECOND_LANGUAGES)[number];

/** How content relates to the rule that decides it; see `docs/simulation.md`. */
export const RULE_RELATIONS = [
  "core",
  "described",
  "detailed",
  "implied",
  "cleared",
  "excepted",
  "spared",
  "open",
  "void",
] as const;
export type RuleRelation = (typeof RULE_RELATIONS)[number];

/** Texts with slots in braces, filled on use. */
export type Phrases = readonly string[];
type CaseTexts = Partial<Readonly<Record<RuleRelation, Phrases>>>;

export interface BookRule {
  key: string;
  kind: RuleKind;
  /** One is chosen per community. */
  titles: Phrases;
  description: string;
  detail: string;
  cases: CaseTexts;
  foreign?: Partial<Readonly<Record<SecondLanguage, CaseTexts>>>;
}

/** What a community is about. */
export interface Topic {
  slug: string;
  /** Slots with the same value throughout the community. */
  words: Readonly<Record<string, string>>;
  /** Slots with a new value each time. */
  lists: Readonly<Record<string, Phrases>>;
}

/** Content that a rule of each scope judges differently; which one prevails depends on the field. */
interface Precedence {
  platform: string;
  community: string;
  texts: Phrases;
}

interface Talk {
  /** No prohibition applies. */
  neutral: Phrases;
  /** No prohibition applies, but people in some communities do not want it. */
  unwelcome: Phrases;
  openers: Phrases;
  closers: Phrases;
}

export interface Book extends Talk {
  name: string;
  topics: readonly Topic[];
  rules: readonly BookRule[];
  platform: readonly BookRule[];
  /** A platform prohibition overrides a community's permission. */
  forbidden: Precedence;
  /** A platform protection overrides a community's prohibition. */
  protected: Precedence;
  titles: Phrases;
  lists: Readonly<Record<string, Phrases>>;
  /** Numbers in a community's rules, with their bounds. */
  numbers: Readonly<Record<string, readonly [number, number]>>;
  foreign: Readonly<Record<SecondLanguage, Talk>>;
}

/** What fills the slots of a community's texts. */
export interface Wording {
  topic: Topic;
  book: Book;
  numbers: Readonly<Record<string, number>>;
}

const compiled = new Map<string, readonly string[]>();

/** Literal text at even indexes, slot names at odd ones. */
function parts(template: string): readonly string[] {
  let known = compiled.get(template);
  if (!known) {
    known = template.split(/[{}]/);
    compiled.set(template, known);
  }
  return known;
}

/**
 * Fills a text's slots: `{limit}` is a number from the community's rules, `{limit+}` one above and `{limit-}` one below it;
 * `{word}` is the topic's word or one chosen from its or the book's list, `{Word}` the same capitalised.
 */
export function fill(template: string, wording: Wording, rng: Pick<Rng, "int">): string {
  const pieces = parts(template);
  let text = pieces[0]!;
  for (let i = 1; i < pieces.length; i += 2) text += slot(pieces[i]!, wording, rng) + pieces[i + 1]!;
  return text;
}

function slot(name: string, { topic, book, numbers }: Wording, rng: Pick<Rng, "int">): string {
  const last = name.charCodeAt(name.length - 1);
  if (last === 43 || last === 45) {
    const bound = numbers[name.slice(0, -1)]!;
    return String(last === 43 ? bound + 1 + rng.int(bound + 2) : 1 + rng.int(Math.max(1, bound - 1)));
  }
  const number = numbers[name];
  if (number !== undefined) return String(number);
  const small = name.charCodeAt(0) < 97 ? name.charAt(0).toLowerCase() + name.slice(1) : name;
  const found = topic.words[small] ?? pick(topic.lists[small] ?? book.lists[small], rng);
  if (found === undefined) throw new RangeError(`phrase book ${book.name}: no slot called ${name}`);
  return small === name ? found : found.charAt(0).toUpperCase() + found.slice(1);
}

function pick<T>(list: readonly T[] | undefined, rng: Pick<Rng, "int">): T | undefined {
  return list && list.length > 0 ? list[rng.int(list.length)] : undefined;
}

export function pickPhrase(phrases: Phrases, wording: Wording, rng: Pick<Rng, "int">): string {
  return fill(phrases[rng.int(phrases.length)]!, wording, rng);
}

export const BOOKS = { harbour, meridian, alder } as object as Readonly<Record<string, Book>>;

export function bookCalled(name: string): Book {
  const book = Object.hasOwn(BOOKS, name) ? BOOKS[name] : undefined;
  if (!book) throw new RangeError(`phrase book: unknown book "${name}"; there are ${Object.keys(BOOKS).join(", ")}`);
  return book;
}
