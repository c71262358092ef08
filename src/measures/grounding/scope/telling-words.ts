import words from "../../../../data/moderation-words.json" with { type: "json" };
import type { ContentParts } from "../../../core/records/decision.js";
import { stem, tokenise } from "../../../text/words.js";

/** Words that say nothing about the topic of a rule or a post, and the deontic words of rules, which are read elsewhere. */
export const STOP_WORDS: ReadonlySet<string> = new Set(words.stop.split(" "));

/**
 * Everyday words of any text: sharing one of them with a rule says little. They count `COMMON_WEIGHT` of a rarer word. General English and Spanish,
 * from no particular source.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(words.common.split(" "));

const COMMON_WEIGHT = 0.3;

/**
 * General vocabulary of moderation: words for the same kind of thing, in English and Spanish. A rule with one word of a group and a post with
 * another are about the same matter. Phrases are written with spaces. The groups are general knowledge about what community rules govern; no entry
 * was added for a single post.
 */
const CONCEPTS: Readonly<Record<string, string>> = words.concepts;

/** Concepts that a post shows by a property (it contains a link), not by using the word. The mere word in a post counts little. */
const PROPERTY_CONCEPTS: ReadonlySet<string> = new Set(words.properties);

/** Stems of meaningful words, and concepts (`#sell`) that words or phrases express, each with its general weight. */
export type TellingWords = Map<string, number>;

/**
 * The telling words of a text: words of any text are left out, everyday words count less, and words for the same kind of thing share its concept
 * ("for sale", "selling", "vendo").
 */
export function tellingWords(text: string): TellingWords {
  const words: TellingWords = new Map();
  const read = tokenise(text).map(readWord);
  for (const { stem, weight } of read) if (weight > 0 && weight > (words.get(stem) ?? 0)) words.set(stem, weight);
  for (let i = 0; i < read.length; i++) {
    for (const { stems, concept } of read[i]!.entries) {
      if (stems.every((stem, offset) => read[i + offset]?.stem === stem)) words.set(concept, 1);
    }
  }
  return words;
}

interface ReadWord {
  stem: string;
  /** General weight; 0 for a word of any text. */
  weight: number;
  /** Lexicon entries that begin with this word. */
  entries: readonly Entry[];
}

/** Cache of words: most words of a text also occur in others. Cleared when full. */
const readWords = new Map<string, ReadWord>();
const MOST_WORDS = 50_000;
const NO_ENTRIES: readonly Entry[] = [];

function readWord(token: string): ReadWord {
  const known = readWords.get(token);
  if (known !== undefined) return known;
  const stemmed = stem(token);
  const weight = token.length < 2 || STOP_WORDS.has(token) ? 0 : COMMON_STEMS.has(stemmed) ? COMMON_WEIGHT : 1;
  const word = { stem: stemmed, weight, entries: ENTRIES.get(stemmed) ?? NO_ENTRIES };
  if (readWords.size === MOST_WORDS) readWords.clear();
  if (token.length <= LONGEST_KEPT) readWords.set(token, word);
  return word;
}

const LONGEST_KEPT = 30;

/** Forms of an everyday word are equally common: `reading`, `turned`. */
const COMMON_STEMS: ReadonlySet<string> = new Set([...COMMON_WORDS].map(stem));

function conceptKey(concept: string): string {
  return `#${concept}`;
}

/** The concepts that a single word expresses, by its stem. */
export function conceptsOf(stemmed: string): string[] {
  return (ENTRIES.get(stemmed) ?? []).filter(({ stems }) => stems.length === 1).map(({ concept }) => concept);
}

interface Entry {
  stems: readonly string[];
  concept: string;
}

/** Entries of the lexicon by their first stem. */
const ENTRIES: ReadonlyMap<string, readonly Entry[]> = entriesByFirst();

function entriesByFirst(): Map<string, Entry[]> {
  const byFirst = new Map<string, Entry[]>();
  for (const [concept, list] of Object.entries(CONCEPTS)) {
    for (const words of list.split(", ")) {
      const stems = tokenise(words).map(stem);
      const entry = { stems, concept: conceptKey(concept) };
      const same = byFirst.get(stems[0]!);
      if (same) same.push(entry);
      else byFirst.set(stems[0]!, [entry]);
    }
  }
  return byFirst;
}

/** If one stem is a prefix of another and has at least this many letters, both are forms of one word: `promot` and `promotion`. */
const RELATED_LETTERS = 5;

/** Looks up stems directly and by longer or shorter forms of the same word. */
export class StemIndex {
  private readonly byBeginning = new Map<string, string[]>();

  constructor(private readonly stems: ReadonlyMap<string, unknown>) {
    for (const stemmed of stems.keys()) {
      if (stemmed.length < RELATED_LETTERS || stemmed.startsWith("#")) continue;
      const beginning = stemmed.slice(0, RELATED_LETTERS);
      const same = this.byBeginning.get(beginning);
      if (same) same.push(stemmed);
      else this.byBeginning.set(beginning, [stemmed]);
    }
  }

  has(stemmed: string): boolean {
    if (this.stems.has(stemmed)) return true;
    if (stemmed.length < RELATED_LETTERS) return false;
    const near = this.byBeginning.get(stemmed.slice(0, RELATED_LETTERS));
    return near?.some((other) => other.startsWith(stemmed) || stemmed.startsWith(other)) ?? false;
  }
}

/** What content shows by its form, with the concept that rules use for it. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\/\/|\bwww\./i, "link"],
  [/[\p{L}\d._-]@[\p{L}\d-]+\.\p{L}{2,}/u, "email"],
  [/(?:\+|\b0)\d[\d ()/-]{6,}\d/, "phone"],
  [/[€$£]\s?\d|\d\s?(?:€|\$|£|euros?|dollars?|pounds?|eur|usd)\b/i, "money"],
  [/\[(?:picture|photo|image|video)|\.(?:jpe?g|png|gif|webp)\b/i, "media"],
];

export interface ContentWords {
  /** Its telling words, with their general weights. */
  words: ReadonlyMap<string, number>;
  index: StemIndex;
  /** The whole text in lower case, for finding names. */
  lower: string;
}

/** The telling words of title and body; context is not the content's own. A link counts without the word, and the word "link" is no link. */
export function contentWords(content: ContentParts): ContentWords {
  const words = wordsOfContent(content);
  return { words, index: new StemIndex(words), lower: textOf(content).toLowerCase() };
}

function textOf({ title, body }: ContentParts): string {
  return `${title}\n${body}`;
}

/** Only the words. */
export function wordsOfContent(content: ContentParts): TellingWords {
  const text = textOf(content);
  const words = tellingWords(text);
  for (const concept of PROPERTY_CONCEPTS) words.delete(conceptKey(concept));
  for (const [form, concept] of FORMS) {
    if (form.test(text) || (content.url && form.test(content.url))) words.set(conceptKey(concept), 1);
  }
  if (content.hasMedia) words.set(conceptKey("media"), 1);
  return words;
}
