import { COMMON_WEIGHT, COMMON_WORDS } from "./common-words.js";
import { CONCEPTS } from "./lexicon.js";
import { stem } from "./stem.js";
import { STOP_WORDS } from "./stop-words.js";

/**
 * Words and groups of words that a frame knows, each with a number. A word is known by its stem, a phrase by the numbers of its words.
 * Numbers of concepts follow the words', so that one list holds the weights of both.
 */
export class Vocabulary {
  private readonly stems = new Map<string, number>();
  /** Raw words seen in content, so that each is stemmed once. Emptied when full: odd input must not grow it without end. */
  private readonly seen = new Map<string, number>();
  private readonly common = new Set<number>();
  private readonly conceptsByStem: (number[] | undefined)[] = [];
  private readonly phrasesByStem: (Phrase[] | undefined)[] = [];
  readonly concepts: readonly string[] = Object.keys(CONCEPTS);

  constructor() {
    for (const word of COMMON_WORDS) this.common.add(this.number(stem(word)));
    this.concepts.forEach((concept, index) => {
      for (const entry of CONCEPTS[concept]!.split(", ")) this.addToConcept(entry, index);
    });
  }

  /** The number of a word of a rule or precedent, made if new; -1 for a stop word. */
  add(word: string): number {
    return STOP_WORDS.has(word) || word.length < 2 ? STOP_WORD : this.number(stem(word));
  }

  addPhrase(words: readonly string[], phrase: Omit<Phrase, "ids">): void {
    const ids = words.map((word) => this.number(stem(word)));
    const list = this.phrasesByStem[ids[0]!] ?? [];
    list.push({ ...phrase, ids });
    this.phrasesByStem[ids[0]!] = list;
  }

  /** The number of a word of content, {@link STOP_WORD} or {@link UNKNOWN_WORD}. */
  readonly lookUp = (word: string): number => {
    const known = this.seen.get(word);
    if (known !== undefined) return known;
    const id = this.find(word);
    if (this.seen.size >= SEEN_LIMIT) this.seen.clear();
    this.seen.set(word, id);
    return id;
  };

  /** As {@link lookUp}, but not remembered: for use while words are still being added. */
  find(word: string): number {
    return this.stems.get(stem(word)) ?? (STOP_WORDS.has(word) ? STOP_WORD : UNKNOWN_WORD);
  }

  /** How much sharing this word says, before rarity in the frame. */
  weight(id: number): number {
    return this.common.has(id) ? COMMON_WEIGHT : 1;
  }

  conceptsOf(id: number): readonly number[] {
    return this.conceptsByStem[id] ?? NO_CONCEPTS;
  }

  /** Phrases that begin with this word. */
  phrasesFrom(id: number): readonly Phrase[] | undefined {
    return this.phrasesByStem[id];
  }

  get size(): number {
    return this.stems.size;
  }

  private addToConcept(entry: string, concept: number): void {
    const words = entry.split(" ");
    if (words.length > 1) {
      this.addPhrase(words, { concept, clause: -1, weight: 1 });
      return;
    }
    const id = this.number(stem(entry));
    const list = this.conceptsByStem[id] ?? [];
    if (!list.includes(concept)) list.push(concept);
    this.conceptsByStem[id] = list;
  }

  private number(stemmed: string): number {
    const known = this.stems.get(stemmed);
    if (known !== undefined) return known;
    this.stems.set(stemmed, this.stems.size);
    return this.stems.size - 1;
  }
}

/** Words in this order mean a concept (`concept` ≥ 0) or are a quoted example of a clause (`clause` ≥ 0). */
export interface Phrase {
  ids: readonly number[];
  concept: number;
  clause: number;
  weight: number;
}

export const STOP_WORD = -1;
export const UNKNOWN_WORD = -2;
const SEEN_LIMIT = 50_000;
const NO_CONCEPTS: readonly number[] = [];
