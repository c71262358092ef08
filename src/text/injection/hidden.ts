import type { Token } from "./tokens.js";

/** A stretch of the original text. */
export interface Range {
  start: number;
  end: number;
}

/** Runs of what no screen shows: tag characters, variation selectors, zero-width characters. Emoji have up to three of them in a row. */
const RUNS =
  /[\u{e0000}-\u{e007f}]{2,}|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}|[\u034f\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]{8,}/gu;
/** A black flag with tags is the flag of a region. */
const FLAG = /\u{1f3f4}$/u;
const REGION = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u;
/** Text that is shown in another order than it is written in. */
const TURNED = /[\u202d\u202e][^\u202c\n]{4,}\u202c?/gu;
const LETTERS = /\p{L}{2}/u;
const ANY =
  /[\u00ad\u180e\u200b-\u200f\u202d\u202e\u2060-\u2064\ufeff]|\p{Variation_Selector}|\u034f|[\u{e0000}-\u{e007f}]/u;

/** Stretches of a text that a reader does not see, or sees in another order. */
export function hiddenRanges(text: string): Range[] {
  if (!ANY.test(text)) return [];
  const ranges: Range[] = [];
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (FLAG.test(text.slice(Math.max(0, index - 2), index)) && REGION.test(run)) continue;
    ranges.push({ start: index, end: index + run.length });
  }
  for (const { 0: turned, index } of text.matchAll(TURNED)) {
    if (LETTERS.test(turned)) ranges.push({ start: index, end: index + turned.length });
  }
  return ranges;
}

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

/** Kinds of code units as the reading of sentences tells them apart. */
export const WORD = 1;
export const STOP = 2;
export const NEW_LINE = 3;
export const QUOTE = 4;
export const DOUBLE_QUOTE = 5;
export const EMOJI = 6;

const OTHER = 7;
/** By code unit; 0 where it was not asked for yet. */
const kinds = new Uint8Array(0x10000);

/** The kind of a code unit of a folded text; 0 for signs that nothing depends on. */
export function kindOf(code: number): number {
  let kind = kinds[code]!;
  if (kind === 0) {
    kind = classify(code);
    kinds[code] = kind;
  }
  return kind === OTHER ? 0 : kind;
}

function classify(code: number): number {
  // The first half of most emoji.
  if (code >= 0xd83c && code <= 0xd83e) return EMOJI;
  const character = String.fromCharCode(code);
  if (character === "\n") return NEW_LINE;
  if (character === "'") return QUOTE;
  if (character === '"') return DOUBLE_QUOTE;
  if (/[.!?;。！？؟।；]/.test(character)) return STOP;
  if (/[\p{L}\p{N}\p{M}]/u.test(character)) return WORD;
  return /\p{Emoji_Presentation}/u.test(character) ? EMOJI : OTHER;
}
