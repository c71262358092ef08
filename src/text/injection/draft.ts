import { cuesOf, splitRunTogether } from "./lexicon.js";

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
