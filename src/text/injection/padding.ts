import type { Token } from "./tokens.js";

const LEAST_WORDS = 20;
const MOST_WORDS = 400;
/** Words for each different one. */
const REPETITION = 5;

/** Many words, and few different ones. */
export function isPadding(tokens: readonly Token[]): boolean {
  if (tokens.length < LEAST_WORDS) return false;
  const looked = tokens.slice(0, MOST_WORDS);
  return new Set(looked.map(({ word }) => word)).size * REPETITION < looked.length;
}

/** The first word that comes back again and again: what stands before it may be honest. */
export function firstRepeated(tokens: readonly Token[]): number {
  const counts = new Map<string, number>();
  for (const { word } of tokens.slice(0, MOST_WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return tokens.findIndex(({ word }) => counts.get(word)! >= REPETITION);
}

/** The same words as beside it. */
export function repeats(tokens: readonly Token[], other: readonly Token[]): boolean {
  return tokens.length > 1 && tokens.length === other.length && tokens.every(({ word }, k) => other[k]!.word === word);
}
