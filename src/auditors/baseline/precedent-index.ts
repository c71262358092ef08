import type { CasePrecedent } from "../../domain/case.js";
import type { Words } from "./scan-words.js";
import { wordsOf } from "./terms.js";
import { UNKNOWN_WORD, type Vocabulary } from "./vocabulary.js";

/** Precedents by tf-idf cosine over word stems. Made last: it sizes its lists by the vocabulary, its own words included. */
export class PrecedentIndex {
  /** By word: precedent, weight, … with vectors of length 1. */
  private readonly postings: (number[] | undefined)[] = [];
  private readonly rarity: Float64Array;
  private readonly similarities: Float64Array;
  private readonly counts: Float64Array;
  private readonly touched: number[] = [];

  constructor(
    readonly precedents: readonly CasePrecedent[],
    private readonly vocabulary: Vocabulary,
  ) {
    this.similarities = new Float64Array(precedents.length);
    const counts = precedents.map((precedent) => this.countTerms(precedent.text));
    this.counts = new Float64Array(vocabulary.size);
    this.rarity = new Float64Array(vocabulary.size);
    const owners = new Map<number, number>();
    for (const terms of counts) for (const term of terms.keys()) owners.set(term, (owners.get(term) ?? 0) + 1);
    for (const [term, count] of owners) this.rarity[term] = Math.log(1 + precedents.length / count);
    counts.forEach((terms, index) => {
      let square = 0;
      for (const [term, count] of terms) square += this.weight(term, count) ** 2;
      const length = Math.sqrt(square) || 1;
      for (const [term, count] of terms) {
        this.postings[term] ??= [];
        this.postings[term].push(index, this.weight(term, count) / length);
      }
    });
  }

  /** Similarity of each precedent to the words, 0 … 1. The list is reused by the next call. */
  compare(words: Words): Float64Array {
    const { similarities, counts, touched } = this;
    similarities.fill(0);
    if (similarities.length === 0) return similarities;
    let unknown = 0;
    for (let i = 0; i < words.count; i++) {
      const id = words.ids[i]!;
      if (id >= 0) {
        if (counts[id] === 0) touched.push(id);
        counts[id]! += 1;
      } else if (id === UNKNOWN_WORD) unknown++;
    }
    // Words that no precedent knows lengthen the vector: a long text that shares two words is not similar.
    const rarest = Math.log(1 + this.precedents.length);
    let square = unknown * rarest * rarest;
    for (const id of touched) {
      const list = this.postings[id];
      const rarity = this.rarity[id]!;
      const weight = (rarity === 0 ? rarest : rarity) * (counts[id] === 1 ? 1 : 1 + Math.log(counts[id]!));
      counts[id] = 0;
      square += weight * weight;
      if (list !== undefined) for (let i = 0; i < list.length; i += 2) similarities[list[i]!]! += weight * list[i + 1]!;
    }
    touched.length = 0;
    const length = Math.sqrt(square) || 1;
    for (let i = 0; i < similarities.length; i++) similarities[i]! /= length;
    return similarities;
  }

  private weight(term: number, count: number): number {
    return this.rarity[term]! * (1 + Math.log(count));
  }

  private countTerms(text: string): Map<number, number> {
    const counts = new Map<number, number>();
    for (const word of wordsOf(text.toLowerCase())) {
      const id = this.vocabulary.add(word);
      if (id >= 0) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }
}
