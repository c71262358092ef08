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
