import { PROPERTY_CONCEPTS } from "../../grounding/lexicon.js";
import type { ContentView } from "./content-view.js";
import { addPostings, flatPostings, largestWeight, type Postings } from "./postings.js";
import type { PreparedFrame } from "./prepare-frame.js";
import { NEGATED, QUOTED, type Words } from "./scan-words.js";
import { shownConcepts } from "./shown-concepts.js";
import { type Phrase, UNKNOWN_WORD } from "./vocabulary.js";

/** The different words of a text that the vocabulary knows, and how often each stands there. */
export interface DistinctWords {
  count: number;
  ids: Int32Array;
  /** By number in the vocabulary. */
  counts: Int32Array;
  /** Words that the vocabulary does not know. */
  unknown: number;
}

/** Buffers of one frame, cleared and used again for each piece of content. */
export class WordScores {
  /** By clause: weight of the words it shares with the content; and whether one of its quoted examples stands there (0 … 1). */
  readonly clauses: Float64Array;
  readonly quotes: Float64Array;
  readonly conditions: Float64Array;
  /** By rule: weight of the words that say whom it concerns. */
  readonly subjects: Float64Array;
  readonly distinct: DistinctWords;
  /** Clauses, conditions and subjects in a row. */
  private readonly sums: Float64Array;
  private readonly byWord: Postings;
  private readonly byConcept: Postings;
  /** By word: its concepts, each with what the mere word counts for it. */
  private readonly conceptsOf: Postings;
  private readonly phrasesFrom: PhraseTable;
  /** By word: how plainly it is said, 0 … 1. */
  private readonly plainness: Float64Array;
  private readonly concepts: Float64Array;
  /** Concepts that the content shows by its form. */
  private shown: readonly number[] = [];

  constructor(private readonly frame: Omit<PreparedFrame, "scores" | "citations" | "sentences" | "evidence">) {
    const { clauseCount, rules, vocabulary } = frame;
    const { concepts, size } = vocabulary;
    this.sums = new Float64Array(2 * clauseCount + rules.length);
    this.clauses = this.sums.subarray(0, clauseCount);
    this.conditions = this.sums.subarray(clauseCount, 2 * clauseCount);
    this.subjects = this.sums.subarray(2 * clauseCount);
    this.quotes = new Float64Array(clauseCount);
    const indexes = [
      { index: frame.clauses, offset: 0 },
      { index: frame.conditions, offset: clauseCount },
      { index: frame.subjects, offset: 2 * clauseCount },
    ];
    const sources = (lists: "words" | "concepts") =>
      indexes.map(({ index, offset }) => ({ lists: index[lists], offset }));
    this.byWord = flatPostings(size, sources("words"));
    this.byConcept = flatPostings(concepts.length, sources("concepts"));
    const mereWord = concepts.map((concept) => (PROPERTY_CONCEPTS.has(concept) ? MERE_WORD : 1));
    const meant = Array.from({ length: size }, (_, id) => {
      const concepts = vocabulary.conceptsOf(id);
      return concepts.length === 0 ? undefined : concepts.flatMap((concept) => [concept, mereWord[concept]!]);
    });
    this.conceptsOf = flatPostings(size, [{ lists: meant, offset: 0 }]);
    this.phrasesFrom = new PhraseTable(Array.from({ length: size }, (_, id) => vocabulary.phrasesFrom(id) ?? []));
    this.plainness = new Float64Array(size);
    this.concepts = new Float64Array(concepts.length);
    this.distinct = { count: 0, ids: new Int32Array(size), counts: new Int32Array(size), unknown: 0 };
  }

  /** Fills the buffers for a piece of content. */
  fill(view: ContentView): void {
    const { distinct, sums, plainness, concepts, byWord, byConcept } = this;
    this.clear();
    this.readWords(view.words);
    for (let i = 0; i < distinct.count; i++) {
      const id = distinct.ids[i]!;
      this.raiseConcepts(id, plainness[id]!);
      addPostings(byWord, id, plainness[id]!, sums);
    }
    this.shown = shownConcepts(view);
    for (const concept of this.shown) this.raise(concept, 1);
    for (let id = 0; id < concepts.length; id++) if (concepts[id]! > 0) addPostings(byConcept, id, concepts[id]!, sums);
  }

  /** Whether the content shows anything by its form. */
  get showsAny(): boolean {
    return this.shown.length > 0;
  }

  /** Whether the content shows by its form what a word stands for: a picture, a link, a question, a recipe. */
  isShown(word: number): boolean {
    return this.frame.vocabulary.conceptsOf(word).some((concept) => this.shown.includes(concept));
  }

  /** What sharing a word, or what it stands for, weighs in the clauses [first, first + count). */
  sharedWeight(word: number, first: number, count: number): number {
    const { starts, places } = this.conceptsOf;
    let weight = largestWeight(this.byWord, word, first, count);
    for (let i = starts[word]!; i < starts[word + 1]!; i++) {
      weight += largestWeight(this.byConcept, places[i]!, first, count);
    }
    return weight;
  }

  private clear(): void {
    const { distinct, plainness } = this;
    for (let i = 0; i < distinct.count; i++) {
      const id = distinct.ids[i]!;
      plainness[id] = 0;
      distinct.counts[id] = 0;
    }
    distinct.count = 0;
    distinct.unknown = 0;
    this.sums.fill(0);
    this.quotes.fill(0);
    this.concepts.fill(0);
  }

  private readWords({ count, ids, flags }: Words): void {
    const { distinct, plainness, phrasesFrom } = this;
    const { counts } = distinct;
    for (let i = 0; i < count; i++) {
      const id = ids[i]!;
      if (id < 0) {
        if (id === UNKNOWN_WORD) distinct.unknown++;
        continue;
      }
      const damping = DAMPING[flags[i]! & (NEGATED | QUOTED)]!;
      if (counts[id] === 0) distinct.ids[distinct.count++] = id;
      counts[id]!++;
      if (damping > plainness[id]!) plainness[id] = damping;
      const end = phrasesFrom.starts[id + 1]!;
      for (let k = phrasesFrom.starts[id]!; k < end; k++) {
        const second = phrasesFrom.seconds[k]!;
        if (second !== NO_SECOND && (i + 1 >= count || ids[i + 1] !== second)) continue;
        const phrase = phrasesFrom.phrases[k]!;
        if (!stands(phrase.ids, ids, i, count)) continue;
        if (phrase.concept >= 0) this.raise(phrase.concept, damping);
        else this.quote(phrase.clause, phrase.weight, damping);
      }
    }
  }

  private raiseConcepts(word: number, plainness: number): void {
    const { starts, places, weights } = this.conceptsOf;
    const end = starts[word + 1]!;
    for (let i = starts[word]!; i < end; i++) this.raise(places[i]!, plainness * weights[i]!);
  }

  private raise(concept: number, to: number): void {
    if (to > this.concepts[concept]!) this.concepts[concept] = to;
  }

  private quote(clause: number, weight: number, damping: number): void {
    this.clauses[clause]! += weight * damping;
    if (damping > this.quotes[clause]!) this.quotes[clause] = damping;
  }
}

/** By flags: plain, negated ("no link"), quoted, both. */
const DAMPING = [1, 0.4, 0.5, 0.2];
/** The word "link" is not a link. */
const MERE_WORD = 0.3;

const NO_SECOND = -9;

/** Phrases by their first word, with their second words in a row: most phrases end there. */
class PhraseTable {
  readonly starts: Int32Array;
  readonly seconds: Int32Array;
  readonly phrases: readonly Phrase[];

  constructor(byFirst: readonly (readonly Phrase[])[]) {
    this.starts = new Int32Array(byFirst.length + 1);
    byFirst.forEach((phrases, id) => {
      this.starts[id + 1] = this.starts[id]! + phrases.length;
    });
    this.phrases = byFirst.flat();
    this.seconds = Int32Array.from(this.phrases, ({ ids }) => ids[1] ?? NO_SECOND);
  }
}

function stands(phrase: readonly number[], ids: Int32Array, at: number, count: number): boolean {
  if (at + phrase.length > count) return false;
  for (let i = 2; i < phrase.length; i++) if (ids[at + i] !== phrase[i]) return false;
  return true;
}
