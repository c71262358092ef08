import type { Terms } from "./terms.js";
import type { Vocabulary } from "./vocabulary.js";

/** Which places share a word or a concept, and what sharing it weighs there. By term: place, weight, place, weight, … A place is a clause or a rule. */
export class TermIndex {
  readonly words: (number[] | undefined)[] = [];
  readonly concepts: (number[] | undefined)[] = [];

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Enters the terms of one place. `rarity` gives the weight of a word or concept before its kind is considered. */
  add(place: number, terms: Terms, rarity: Rarity): void {
    for (const word of terms.words) post(this.words, word, place, rarity.word(word) * this.vocabulary.weight(word));
    for (const concept of terms.concepts) post(this.concepts, concept, place, rarity.concept(concept) * CONCEPT_WEIGHT);
  }
}

/** A concept says more than one word, since several words lead to it. */
const CONCEPT_WEIGHT = 1.2;

function post(postings: (number[] | undefined)[], term: number, place: number, weight: number): void {
  const list = postings[term];
  if (list) list.push(place, weight);
  else postings[term] = [place, weight];
}

/** How much a term distinguishes, 0 … 1. */
export interface Rarity {
  word(id: number): number;
  concept(id: number): number;
}

/** Rarity over the rules: a word that every rule of a frame has says nothing about which of them is meant. Terms come by rule. */
export function rarityOverRules(termsByRule: readonly (readonly Terms[])[]): Rarity {
  const words = new Map<number, number>();
  const concepts = new Map<number, number>();
  for (const terms of termsByRule) {
    for (const id of new Set(terms.flatMap((clause) => [...clause.words]))) words.set(id, (words.get(id) ?? 0) + 1);
    for (const id of new Set(terms.flatMap((clause) => [...clause.concepts])))
      concepts.set(id, (concepts.get(id) ?? 0) + 1);
  }
  const rules = Math.max(2, termsByRule.length);
  const rarity = (owners: number | undefined): number => Math.log(1 + rules / (owners ?? 1)) / Math.log(1 + rules);
  return { word: (id) => rarity(words.get(id)), concept: (id) => rarity(concepts.get(id)) };
}

/** The same, never below `least`: for where it matters that a term is there, not that it is rare. */
export function atLeast(least: number, rarity: Rarity): Rarity {
  return { word: (id) => Math.max(least, rarity.word(id)), concept: (id) => Math.max(least, rarity.concept(id)) };
}
