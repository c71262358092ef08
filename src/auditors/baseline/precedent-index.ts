import type { CasePrecedent } from "../../domain/case.js";
import type { Words } from "./scan-words.js";
import { UNKNOWN_WORD, type Vocabulary } from "./vocabulary.js";

const WORD = /[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu;

/** Precedents by tf-idf cosine over stems and concepts. */
export class PrecedentIndex {
  /** By term: precedent, weight, … with vectors of length 1. Concepts follow the words. */
  private readonly postings = new Map<number, number[]>();
  private readonly rarity = new Map<number, number>();
  private readonly similarities: Float64Array;

  constructor(
    readonly precedents: readonly CasePrecedent[],
    private readonly vocabulary: Vocabulary,
  ) {
    this.similarities = new Float64Array(precedents.length);
    const counts = precedents.map((precedent) => this.countTerms(precedent.text));
    const owners = new Map<number, number>();
    for (const terms of counts) for (const term of terms.keys()) owners.set(term, (owners.get(term) ?? 0) + 1);
    for (const [term, count] of owners) this.rarity.set(term, Math.log(1 + precedents.length / count));
    counts.forEach((terms, index) => {
      let square = 0;
      for (const [term, count] of terms) square += this.weight(term, count) ** 2;
      const length = Math.sqrt(square) || 1;
      for (const [term, count] of terms) {
        const list = this.postings.get(term) ?? [];
        list.push(index, this.weight(term, count) / length);
        this.postings.set(term, list);
      }
    });
  }

  /** Similarity of each precedent to the words, 0 … 1. The list is reused by the next call. */
  compare(words: Words): Float64Array {
    const { similarities } = this;
    similarities.fill(0);
    if (similarities.length === 0) return similarities;
    const counts = new Map<number, number>();
    let unknown = 0;
    for (let i = 0; i < words.count; i++) {
      const id = words.ids[i]!;
      if (id >= 0) counts.set(id, (counts.get(id) ?? 0) + 1);
      else if (id === UNKNOWN_WORD) unknown++;
    }
    // Words that no precedent knows lengthen the vector: a long text that shares two words is not similar.
    const rarest = Math.log(1 + this.precedents.length);
    let square = unknown * rarest * rarest;
    for (const [term, count] of counts) {
      const list = this.postings.get(term);
      const weight = (this.rarity.get(term) ?? rarest) * (1 + Math.log(count));
      square += weight * weight;
      if (list) for (let i = 0; i < list.length; i += 2) similarities[list[i]!]! += weight * list[i + 1]!;
    }
    const length = Math.sqrt(square) || 1;
    for (let i = 0; i < similarities.length; i++) similarities[i]! /= length;
    return similarities;
  }

  private weight(term: number, count: number): number {
    return (this.rarity.get(term) ?? 0) * (1 + Math.log(count));
  }

  private countTerms(text: string): Map<number, number> {
    const counts = new Map<number, number>();
    for (const [word] of text.toLowerCase().matchAll(WORD)) {
      const id = this.vocabulary.add(word);
      if (id >= 0) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }
}
