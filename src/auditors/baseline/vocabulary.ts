import { COMMON_WEIGHT, COMMON_WORDS } from "../../grounding/common-words.js";
import { CONCEPTS } from "../../grounding/lexicon.js";
import { stem } from "../../grounding/stem.js";
import { STOP_WORDS } from "../../grounding/stop-words.js";
import { lexemes } from "./lexemes.js";
import type { Words } from "./scan-words.js";

/**
 * Words and groups of words that a frame knows, each with a number. A word is known by its stem, a phrase by the numbers of its words.
 * Numbers of concepts follow the words', so that one list holds the weights of both.
 */
export class Vocabulary {
  private readonly stems = new Map<string, number>();
  /** By lexeme: the number found for it, so that each word of content is stemmed once; {@link NOT_MET} for others. */
  private met = new Int32Array(0);
  private generation = -1;
  private readonly common = new Set<number>();
  private readonly conceptsByStem: (number[] | undefined)[] = [];
  private readonly phrasesByStem: (Phrase[] | undefined)[] = [];
  readonly concepts: readonly string[] = Object.keys(CONCEPTS);

  constructor() {
    for (const stemmed of COMMON_STEMS) this.common.add(this.number(stemmed));
    CONCEPT_ENTRIES.forEach((entries, concept) => {
      for (const stems of entries) this.addToConcept(stems, concept);
    });
  }

  /** The number of a word of a rule or precedent, made if new; -1 for a stop word. */
  add(word: string): number {
    return STOP_WORDS.has(word) || word.length < 2 ? STOP_WORD : this.number(stem(word));
  }

  addPhrase(words: readonly string[], phrase: Omit<Phrase, "ids">): void {
    this.addStems(words.map(stem), phrase);
  }

  private addStems(stems: readonly string[], phrase: Omit<Phrase, "ids">): void {
    const ids = stems.map((stemmed) => this.number(stemmed));
    const list = this.phrasesByStem[ids[0]!] ?? [];
    list.push({ ...phrase, ids });
    this.phrasesByStem[ids[0]!] = list;
  }

  /** Gives the words of a text their numbers: {@link STOP_WORD} and {@link UNKNOWN_WORD} for those that are none. */
  readonly numberWords = (words: Words): void => {
    if (this.generation !== lexemes.generation) this.forget();
    const { ids, count } = words;
    let { met } = this;
    for (let i = 0; i < count; i++) {
      const lexeme = words.lexemes[i]!;
      let id = lexeme < met.length ? met[lexeme]! : NOT_MET;
      if (id === NOT_MET) {
        id = this.meet(lexeme);
        met = this.met;
      }
      ids[i] = id;
    }
  };

  /** The number of a word, {@link STOP_WORD} or {@link UNKNOWN_WORD}. */
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

  private meet(lexeme: number): number {
    if (lexeme >= this.met.length) {
      const longer = new Int32Array(Math.max(1024, 2 * this.met.length, lexeme + 1)).fill(NOT_MET);
      longer.set(this.met);
      this.met = longer;
    }
    const id = this.find(lexemes.text(lexeme));
    this.met[lexeme] = id;
    return id;
  }

  private forget(): void {
    this.met.fill(NOT_MET);
    this.generation = lexemes.generation;
  }

  private addToConcept(stems: readonly string[], concept: number): void {
    if (stems.length > 1) {
      this.addStems(stems, { concept, clause: -1, weight: 1 });
      return;
    }
    const id = this.number(stems[0]!);
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

/** Stemmed once for all frames. */
const COMMON_STEMS: readonly string[] = [...COMMON_WORDS].map(stem);
const CONCEPT_ENTRIES: readonly (readonly (readonly string[])[])[] = Object.values(CONCEPTS).map((entries) =>
  entries.split(", ").map((entry) => entry.split(" ").map(stem)),
);

/** Words in this order mean a concept (`concept` ≥ 0) or are a quoted example of a clause (`clause` ≥ 0). */
export interface Phrase {
  ids: readonly number[];
  concept: number;
  clause: number;
  weight: number;
}

const STOP_WORD = -1;
export const UNKNOWN_WORD = -2;
const NOT_MET = -3;
const NO_CONCEPTS: readonly number[] = [];
