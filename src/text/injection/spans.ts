import { CUE } from "./cues.js";
import { firstRepeated, isPadding, type Range } from "./hidden.js";
import { cuesOf, splitRunTogether } from "./lexicon.js";
import type { PartReading, Reading } from "./read.js";
import { scoreSegment } from "./score.js";
import type { Token } from "./tokens.js";

/** Places of the original that are left unread, in order, apart from each other. */
export function unreadRanges({ readings, original, folded, hidden }: PartReading): Range[] {
  const ranges: Range[] = [...hidden];
  for (let k = 0; k < readings.length; k++) {
    if (!readings[k]!.taken) continue;
    const first = k;
    while (k + 1 < readings.length && readings[k + 1]!.taken) k++;
    const start = folded.at[attemptStart(readings[first]!, folded.text)]!;
    const end = folded.at[attemptEnd(readings[k]!, folded.text)]!;
    ranges.push(widen(original, { start, end }));
  }
  return merge(ranges);
}

/** Fewer words are no sentence of somebody else. */
const HONEST_WORDS = 3;
/** Capitals that are tried: a name in each second word is no prose. */
const MOST_TRIED = 12;

/** Where an attempt begins in a segment that begins with honest words that no stop ended: at a capital before which nothing is said. */
function attemptStart({ tokens, start, isForm, points }: Reading, text: string): number {
  if (isForm) return start;
  if (isPadding(tokens)) return tokens[firstRepeated(tokens)]!.start;
  const tried = sentenceStarts(tokens, text).slice(0, MOST_TRIED).reverse();
  const found = tried.find((k) => {
    const isAddressed = tokens.slice(0, k).some(({ cues }) => (cues & CUE.address) !== 0);
    return (
      !isAddressed && pointsOf(tokens.slice(0, k), text) === 0 && pointsOf(tokens.slice(k), text) >= Math.min(points, 2)
    );
  });
  return found === undefined ? start : tokens[found]!.start;
}

/** The same at the other end: honest words begin with a capital after which nothing is said, or where a disguise ends. */
function attemptEnd({ tokens, end, isForm, points }: Reading, text: string): number {
  if (isForm) return end;
  const masked = tokens.findLastIndex(({ disguised }) => disguised) + 1;
  if (masked > 0 && tokens.length - masked >= HONEST_WORDS) {
    const last = (tokens[masked]!.cues & CUE.one) !== 0 ? masked : masked - 1;
    if (pointsOf(tokens.slice(last + 1), text) === 0) return tokens[last]!.end;
  }
  const found = sentenceStarts(tokens, text)
    .slice(-MOST_TRIED)
    .find((k) => {
      return pointsOf(tokens.slice(k), text) === 0 && pointsOf(tokens.slice(0, k), text) >= Math.min(points, 2);
    });
  return found === undefined ? end : tokens[found - 1]!.end;
}

/** Words with a capital after one without, with enough words on both sides, where a sentence may begin without a stop. */
function sentenceStarts(tokens: readonly Token[], text: string): number[] {
  const starts: number[] = [];
  for (let k = 2; k <= tokens.length - HONEST_WORDS; k++) {
    if (!tokens[k]!.capital || tokens[k - 1]!.capital) continue;
    if (/^\s[\s([{"'¿¡]*$/.test(text.slice(tokens[k - 1]!.end, tokens[k]!.start))) starts.push(k);
  }
  return starts;
}

function pointsOf(tokens: Token[], text: string): number {
  return scoreSegment({ tokens, end: 0 }, text, false).points;
}

const WORDLESS = /^[\s!-/:-@[-`{-~]*$/;
/** A line of marks that is longer is a drawing. */
const LONGEST_LINE = 200;
const OPENING = /[`"'([{<*_#>~=|-]|\p{Default_Ignorable_Code_Point}/u;
const CLOSING = /[`"')\]}>*_~=|.!?;,-]|\p{Default_Ignorable_Code_Point}/u;
/** Marks that stand alone at the end of a line of words. */
const LOOSE_MARKS = /[^\S\n][.`=~*_#<>|-]+\s*$/;

/** Adds the marks around a range: brackets, quotation marks, and whole lines without a word. */
function widen(text: string, { start, end }: Range): Range {
  let from = start;
  let to = end;
  while (from > 0 && OPENING.test(text[from - 1]!)) from--;
  while (to < text.length && CLOSING.test(text[to]!)) to++;
  to += /^\s*`{3}/.exec(text.slice(to, to + 20))?.[0].length ?? 0;
  return { start: withoutWordsBefore(text, from), end: withoutWordsAfter(text, to) };
}

/** The start of the line, and of lines before it, as long as there is no word in them. */
function withoutWordsBefore(text: string, end: number): number {
  let from = end;
  while (from > 0) {
    const near = Math.max(0, from - LONGEST_LINE);
    const line = text.slice(near, from - 1).lastIndexOf("\n");
    if (line < 0 && near > 0) break;
    const lineStart = near + line + 1;
    if (!WORDLESS.test(text.slice(lineStart, from))) break;
    from = lineStart;
  }
  const loose = from < end ? LOOSE_MARKS.exec(text.slice(Math.max(0, from - 20), from)) : null;
  return loose ? from - loose[0].length : from;
}

function withoutWordsAfter(text: string, start: number): number {
  let to = start;
  while (to < text.length) {
    const ahead = text.slice(to, to + LONGEST_LINE);
    const newLine = ahead.indexOf("\n");
    if (newLine < 0 && ahead.length === LONGEST_LINE) break;
    const line = newLine < 0 ? ahead : ahead.slice(0, newLine + 1);
    if (!WORDLESS.test(line)) break;
    to += line.length;
  }
  return to;
}

function merge(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

/** Characters under construction: code units, and where each came from. */
export interface Draft {
  codes: number[];
  at: number[];
  disguised: number[];
}

const SPACE = 32;

/** Takes the last word apart if it is several cues run together. */
export function splitLast(draft: Draft, start: number): void {
  const { codes, at, disguised } = draft;
  const word = textOf(codes.slice(start));
  const parts = cuesOf(word) === 0 ? splitRunTogether(word) : null;
  if (parts === null) return;
  disguised.push(at[start]!);
  const places = at.splice(start);
  codes.length = start;
  let from = 0;
  for (const part of parts) {
    if (from > 0) {
      codes.push(SPACE);
      at.push(places[from]!);
    }
    for (let k = 0; k < part.length; k++, from++) {
      codes.push(part.charCodeAt(k));
      at.push(places[from]!);
    }
  }
}

/** Code units as a string; in pieces, since a call takes only so many arguments. */
export function textOf(codes: readonly number[]): string {
  if (codes.length < 4096) return String.fromCharCode(...codes);
  let text = "";
  for (let i = 0; i < codes.length; i += 4096) text += String.fromCharCode(...codes.slice(i, i + 4096));
  return text;
}

const SPACED_LETTERS = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ ._*-]{1,4}[\p{L}\p{N}](?![\p{L}\p{N}])){3,400}/gu;
const SHORTEST_RUN_TOGETHER = 8;

/** "i g n o r e" and "i.g.n.o.r.e" as words: the first gap separates letters, any other one words. */
export function joinSpacedLetters({ codes, at, disguised }: Draft): Draft {
  const text = textOf(codes);
  const joined: Draft = { codes: [], at: [], disguised };
  const copy = (from: number, to: number) => {
    for (let k = from; k < to; k++) {
      joined.codes.push(codes[k]!);
      joined.at.push(at[k]!);
    }
  };
  let copied = 0;
  for (const { 0: run, index } of text.matchAll(SPACED_LETTERS)) {
    copy(copied, index);
    copied = index + run.length;
    const gap = run[1]!;
    let wordStart = joined.codes.length;
    const endWord = () => {
      if (joined.codes.length - wordStart >= SHORTEST_RUN_TOGETHER) splitLast(joined, wordStart);
    };
    for (let k = 0; k < run.length; k++) {
      if (isLetter(run[k]!)) {
        copy(index + k, index + k + 1);
        continue;
      }
      if (run[k] === gap && isLetter(run[k - 1]!) && isLetter(run[k + 1]!)) continue;
      endWord();
      disguised.push(at[index + k + 1] ?? 0);
      copy(index + k, index + k + 1);
      wordStart = joined.codes.length;
    }
    endWord();
    disguised.push(at[index]!);
  }
  copy(copied, codes.length);
  return joined;
}

function isLetter(sign: string): boolean {
  return /[\p{L}\p{N}]/u.test(sign);
}
