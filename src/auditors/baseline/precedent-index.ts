import type { CasePrecedent } from "../../domain/case.js";
import { addPostings, flatPostings, type Postings } from "./postings.js";
import { wordsOf } from "./terms.js";
import type { Vocabulary } from "./vocabulary.js";
import type { DistinctWords } from "./word-scores.js";

/** Precedents by tf-idf cosine over word stems. Made last: it sizes its lists by the vocabulary, its own words included. */
export class PrecedentIndex {
  /** By word: precedents and weights, with vectors of length 1. */
  private readonly postings: Postings;
  /** How much a word of content counts. One that no precedent knows lengthens the vector: a long text that shares two words is not similar. */
  private readonly rarity: Float64Array;
  private readonly rarest: number;
  private readonly similarities: Float64Array;

  constructor(
    readonly precedents: readonly CasePrecedent[],
    private readonly vocabulary: Vocabulary,
  ) {
    this.similarities = new Float64Array(precedents.length);
    this.rarest = Math.log(1 + precedents.length);
    const counts = precedents.map((precedent) => this.countTerms(precedent.text));
    this.rarity = new Float64Array(vocabulary.size).fill(this.rarest);
    const owners = new Map<number, number>();
    for (const terms of counts) for (const term of terms.keys()) owners.set(term, (owners.get(term) ?? 0) + 1);
    for (const [term, count] of owners) this.rarity[term] = Math.log(1 + precedents.length / count);
    const lists: number[][] = [];
    counts.forEach((terms, index) => {
      let square = 0;
      for (const [term, count] of terms) square += this.weight(term, count) ** 2;
      const length = Math.sqrt(square) || 1;
      for (const [term, count] of terms) {
        lists[term] ??= [];
        lists[term].push(index, this.weight(term, count) / length);
      }
    });
    this.postings = flatPostings(vocabulary.size, [{ lists, offset: 0 }]);
  }

  /** Similarity of each precedent to the words, 0 … 1. The list is reused by the next call. */
  compare({ count, ids, counts, unknown }: DistinctWords): Float64Array {
    const { similarities, rarity, rarest, postings } = this;
    if (similarities.length === 0) return similarities;
    similarities.fill(0);
    let square = unknown * rarest * rarest;
    for (let i = 0; i < count; i++) {
      const id = ids[i]!;
      const times = counts[id]!;
      const weight = rarity[id]! * (times === 1 ? 1 : 1 + Math.log(times));
      square += weight * weight;
      addPostings(postings, id, weight, similarities);
    }
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
