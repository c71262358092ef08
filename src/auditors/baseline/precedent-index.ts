import type { CasePrecedent } from "../../core/records/case.js";
import { countGrams, GramTable, MOST_GRAMS } from "./n-grams.js";
import { onScale, type Scale, scaleOf } from "./scale.js";

/** Added to the numbers of precedents, so that a few say less than many. */
const PSEUDO_COUNT = 8;
/** Before any precedent was seen: the cosine of two unrelated texts, the spread of s, and what a deviation counts. */
const USUAL_COSINE = 0.05;
const USUAL_DEVIATION = 0.03;
const USUAL_SLOPE = 0.5;
/** Precedents that are read at most. */
const MOST_PRECEDENTS = 5000;
/** Precedents from which the scale of the scores is taken. */
const MOST_SCORED = 300;
/** An n-gram that more precedents have does not help to find the nearest one. */
const LONGEST_LIST = 64;

/** A text as those of its n-grams that some precedent has, with weights; the whole is of length 1. Reused: good until the next text is read. */
export interface TextVector {
  count: number;
  /** Numbers among the n-grams of all precedents. */
  numbers: Int32Array;
  weights: Float64Array;
}

const vector: TextVector = { count: 0, numbers: new Int32Array(MOST_GRAMS), weights: new Float64Array(MOST_GRAMS) };

/** How few precedents have an n-gram: ln((1 + N) / (1 + holders)) + 1. */
export class Rarity {
  private readonly table = new GramTable();
  private readonly values: Float64Array;
  private readonly rarest: number;

  constructor(readonly precedents: readonly CasePrecedent[]) {
    const holders: number[] = [];
    const read = precedents.slice(0, MOST_PRECEDENTS);
    for (const { text } of read) {
      const { count, keys } = countGrams(text);
      for (let i = 0; i < count; i++) {
        const number = this.table.enter(keys[i]!);
        holders[number] = (holders[number] ?? 0) + 1;
      }
    }
    this.values = Float64Array.from(holders, (count) => Math.log((1 + read.length) / (1 + count)) + 1);
    this.rarest = Math.log(1 + read.length) + 1;
  }

  /** (1 + ln times) · rarity for each n-gram of a text, over the length of the whole. */
  vectorOf(text: string): TextVector {
    const { count, keys, times } = countGrams(text);
    const { numbers, weights } = vector;
    vector.count = 0;
    let square = 0;
    for (let i = 0; i < count; i++) {
      const number = this.table.find(keys[i]!);
      const rarity = number < 0 ? this.rarest : this.values[number]!;
      const weight = times[i] === 1 ? rarity : rarity * (1 + Math.log(times[i]!));
      square += weight * weight;
      if (number < 0) continue;
      numbers[vector.count] = number;
      weights[vector.count++] = weight;
    }
    const length = Math.sqrt(square) || 1;
    for (let i = 0; i < vector.count; i++) weights[i]! /= length;
    return vector;
  }
}

/** Place among the precedents, and cosine; place -1 where nothing is shared. */
export interface Nearest {
  place: number;
  similarity: number;
}

/**
 * Similarity of a text to the precedents that restricted, minus that to those that did not.
 *
 * Formula: s = x · w / |w| with w = Σ⁺v / (n⁺ + 8) − Σ⁻v / (n⁻ + 8), where x and v are tf-idf vectors of character 3-5-grams; the score is s
 * on the {@link scaleOf} the precedents' own s, each computed without itself, times n / (n + 8).
 * Range: any. Undefined when: never; 0 without precedents.
 * Differs from the paper: not in the paper, whose auditor is a language model.
 * @see docs/baseline.md
 */
export class PrecedentIndex {
  /** Own numbers of n-grams; null where they are those of all precedents, which were entered in the same order. */
  private readonly table: GramTable | null;
  /** By n-gram: the sums of the vectors of permitted and restricted precedents, and w / |w|. */
  private readonly sums: [number[], number[]] = [[], []];
  private readonly difference: Float64Array;
  /** By n-gram: the precedents that have it and its weight there, as long as they are few. */
  private readonly lists: number[][] = [];
  private readonly similarities: Float64Array;
  private readonly scale: Scale;
  private readonly trust: number;

  constructor(precedents: readonly CasePrecedent[], positive: string, rarity: Rarity) {
    const read = precedents.slice(0, MOST_PRECEDENTS);
    this.table = precedents === rarity.precedents ? null : new GramTable();
    const sides = read.map(({ decision }) => (decision === positive ? 1 : 0));
    const n: [number, number] = [0, 0];
    read.forEach(({ text }, place) => {
      n[sides[place]!]++;
      this.add(rarity.vectorOf(text), place, this.sums[sides[place]!]!);
    });
    const shares = n.map((count) => count + PSEUDO_COUNT);
    const w = this.lists.map((_, k) => (this.sums[1][k] ?? 0) / shares[1]! - (this.sums[0][k] ?? 0) / shares[0]!);
    const length = Math.sqrt(w.reduce((sum, x) => sum + x * x, 0)) || 1;
    this.difference = Float64Array.from(w, (x) => x / length);
    this.similarities = new Float64Array(read.length);
    this.trust = read.length / (read.length + PSEUDO_COUNT);
    const scores: [number[], number[]] = [[], []];
    const step = Math.max(1, Math.ceil(read.length / MOST_SCORED));
    for (let i = 0; i < read.length; i += step) {
      const side = sides[i]!;
      if (n[side]! < 2) continue;
      // Without itself, and with the rest of its side as large as the whole.
      const products = this.products(rarity.vectorOf(read[i]!.text));
      products[side] = ((products[side]! - 1) * n[side]!) / (n[side]! - 1);
      scores[side]!.push((products[1] / shares[1]! - products[0] / shares[0]!) / length);
    }
    const centre = (USUAL_COSINE * (n[1] / shares[1]! - n[0] / shares[0]!)) / length;
    this.scale = scaleOf(...scores, { centre, deviation: USUAL_DEVIATION, slope: USUAL_SLOPE, count: PSEUDO_COUNT });
  }

  /** In log-odds: above 0 where the text resembles precedents that restricted more than those that did not. */
  score({ count, numbers, weights }: TextVector): number {
    const { table, difference } = this;
    let s = 0;
    for (let i = 0; i < count; i++) {
      const own = table === null ? numbers[i]! : table.find(numbers[i]!);
      if (own >= 0) s += difference[own]! * weights[i]!;
    }
    return this.trust * onScale(this.scale, s);
  }

  /** The most similar precedent. */
  nearest({ count, numbers, weights }: TextVector): Nearest {
    const { table, lists, similarities } = this;
    similarities.fill(0);
    for (let i = 0; i < count; i++) {
      const own = table === null ? numbers[i]! : table.find(numbers[i]!);
      if (own < 0) continue;
      const list = lists[own]!;
      if (list.length >= 2 * LONGEST_LIST) continue;
      for (let k = 0; k < list.length; k += 2) similarities[list[k]!]! += list[k + 1]! * weights[i]!;
    }
    let place = -1;
    let similarity = 0;
    for (let i = 0; i < similarities.length; i++) {
      if (similarities[i]! <= similarity) continue;
      place = i;
      similarity = similarities[i]!;
    }
    return { place, similarity };
  }

  private add({ count, numbers, weights }: TextVector, place: number, sums: number[]): void {
    for (let i = 0; i < count; i++) {
      const own = this.table === null ? numbers[i]! : this.table.enter(numbers[i]!);
      sums[own] = (sums[own] ?? 0) + weights[i]!;
      this.lists[own] ??= [];
      if (this.lists[own].length < 2 * LONGEST_LIST) this.lists[own].push(place, weights[i]!);
    }
  }

  private products({ count, numbers, weights }: TextVector): [number, number] {
    const found: [number, number] = [0, 0];
    for (let i = 0; i < count; i++) {
      const own = this.table === null ? numbers[i]! : this.table.find(numbers[i]!);
      found[0] += (this.sums[0][own] ?? 0) * weights[i]!;
      found[1] += (this.sums[1][own] ?? 0) * weights[i]!;
    }
    return found;
  }
}
