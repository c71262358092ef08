import words from "../../../data/injection-cues.json" with { type: "json" };
import { doubleOf, foldCharacter } from "./characters.js";

/**
 * What a word contributes to an attempt to sway the auditor. A single cue means nothing: posts mention rules, levels and answers
 * all the time. `score.ts` defines which combinations count; `data/injection-cues.json` has the cues' meanings and the words by
 * language, where a final `*` allows any ending and `_` joins two words.
 */
const { about, ...byLanguage } = words;
type CueName = keyof typeof about;
/** Each cue as a bit. */
export const CUE = Object.fromEntries(Object.keys(about).map((name, k) => [name, 1 << k])) as Readonly<
  Record<CueName, number>
>;

const SHORTEST_STEM = 5;
/** Whole words, and pairs of words separated by a space. */
const exact = new Map<string, number>();
/** By their first letters. */
const stems = new Map<string, { stem: string; cue: number }[]>();
const phraseStarts = new Set<string>();
/** Words of scripts without spaces, which are found anywhere in a run of letters. */
const unspaced = new Map<string, number>();
const LONGEST_UNSPACED = 6;

for (const [language, cues] of Object.entries(byLanguage)) {
  for (const [name, list] of Object.entries(cues)) {
    const cue = CUE[name as CueName];
    for (const written of list.split(" ")) {
      const word = Array.from(written, (letter) => foldCharacter(letter.codePointAt(0)!)).join("");
      if (language === "zh-ja") unspaced.set(word, (unspaced.get(word) ?? 0) | cue);
      else if (word.endsWith("*")) {
        const start = word.slice(0, SHORTEST_STEM);
        stems.set(start, [...(stems.get(start) ?? []), { stem: word.slice(0, -1), cue }]);
      } else {
        const plain = word.replace("_", " ");
        exact.set(plain, (exact.get(plain) ?? 0) | cue);
        if (plain !== word) phraseStarts.add(plain.slice(0, plain.indexOf(" ")));
      }
    }
  }
}

export function cuesOf(word: string): number {
  const known = exact.get(word);
  if (known !== undefined || word.length < SHORTEST_STEM) return known ?? 0;
  return stems.get(word.slice(0, SHORTEST_STEM))?.find(({ stem }) => word.startsWith(stem))?.cue ?? 0;
}

/** The cues of two consecutive words that mean more together than each alone. */
export function cuesOfPair(first: string, second: string): number {
  return phraseStarts.has(first) ? (exact.get(`${first} ${second}`) ?? 0) : 0;
}

/** The longest cue that begins at a place in a script without spaces, as its length and cues; null: none. */
export function unspacedCueAt(text: string, at: number): { length: number; cues: number } | null {
  for (let length = LONGEST_UNSPACED; length > 0; length--) {
    const cues = unspaced.get(text.slice(at, at + length));
    if (cues !== undefined) return { length, cues };
  }
  return null;
}

/** A folded text: lower case, without accents, disguises and invisible characters. */
export interface Folded {
  text: string;
  /** Offset of each character of `text` in the original, plus one entry for the end. */
  at: number[];
}

/** Entities, escapes, runs of bytes (`%69%67…`), encoded texts, and characters beyond ASCII. */
const UNUSUAL =
  /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp|nbsp));?|\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrt"'`\\/]))|(%[0-9a-fA-F]{2}){3,2000}|(?<![\w+/-])[\w+/-]{24,4000}={0,2}|[\ud800-\udbff][\udc00-\udfff]|[\u0080-\uffff]/g;
const MEANT = new Map(
  Object.entries({ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", nbsp: " ", n: "\n", r: "\n", t: " " }),
);
const READABLE = /^[\t\n\r -~]*$/;

export function foldText(original: string): Folded {
  const at: number[] = [];
  let text = "";
  let copied = 0;
  const put = (letters: string, from: number, step: 0 | 1) => {
    text += letters;
    for (let k = 0; k < letters.length; k++) at.push(from + k * step);
  };
  for (const match of original.matchAll(UNUSUAL)) {
    const letters = decode(match);
    if (letters === null) continue;
    put(original.slice(copied, match.index).toLowerCase(), copied, 1);
    put(Array.from(letters, (letter) => foldCharacter(letter.codePointAt(0)!)).join(""), match.index, 0);
    copied = match.index + match[0].length;
  }
  put(original.slice(copied).toLowerCase(), copied, 1);
  at.push(original.length);
  return joinLetters({ text: readWords(text), at });
}

/** The meaning of an unusual sequence; null: itself. */
function decode([written, hex, decimal, name, braced, four, two, control, percent]: RegExpMatchArray): string | null {
  const code = hex ?? braced ?? four ?? two;
  if (code !== undefined) return character(Number.parseInt(code, 16));
  if (decimal !== undefined) return character(Number(decimal));
  if (name !== undefined || control !== undefined) {
    const said = (name ?? control)!.toLowerCase();
    return MEANT.get(said) ?? said;
  }
  // Bytes beyond ASCII are parts of characters, which cannot spell an instruction.
  if (percent !== undefined) return bytes(written.replaceAll("%", "")).replace(/[^\0-\x7f]/g, "");
  return written.length < 24 ? written : decodeBlob(written);
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function bytes(hex: string): string {
  return hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}

/** Decodes base64 or hexadecimal text. The result becomes a comment, since a page does not show it either; null if the blob is not text. */
function decodeBlob(blob: string): string | null {
  let text: string;
  if (/^(?:[0-9a-f]{2})+$/i.test(blob)) text = bytes(blob);
  // Words and names run together do not have this mixture.
  else if (!/[a-z]/.test(blob) || !/[A-Z0-9+/]/.test(blob)) return null;
  else {
    const plain = blob.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
    try {
      text = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
    } catch {
      return null;
    }
  }
  return READABLE.test(text) ? `<!--\n${text}\n-->` : null;
}

const WORD = /(?:[@$!](?=[a-z])|[\p{L}\p{M}\p{N}]){2,80}/gu;
const LEET: Readonly<Record<string, string>> = { 0: "o", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s", "!": "i" };

/** Restores words disguised with letters of other scripts, or with digits for letters. Keeps the length. */
function readWords(text: string): string {
  return text.replace(WORD, (word) => {
    if (!/[a-z]/.test(word) || /^[a-z]+$/.test(word)) return word;
    const plain = Array.from(word, (letter) => doubleOf(letter) ?? letter).join("");
    const meant = ["i", "l"].map((one) => plain.replace(/[013457@$!]/g, (sign) => LEET[sign] ?? one));
    return meant.find((read) => cuesOf(read) !== 0) ?? plain;
  });
}

const SPACED = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ ._*-]{1,4}[\p{L}\p{N}](?![\p{L}\p{N}])){3,400}/gu;

/** Joins "i g n o r e" into a word. Gaps equal to the first one separate letters; all others separate words. */
function joinLetters({ text, at }: Folded): Folded {
  const gaps = new Set<number>();
  for (const { 0: run, index } of text.matchAll(SPACED)) {
    for (let k = 1; k < run.length - 1; k++) {
      if (run[k] === run[1] && /[\p{L}\p{N}]/u.test(run[k - 1]!) && /[\p{L}\p{N}]/u.test(run[k + 1]!))
        gaps.add(index + k);
    }
  }
  if (gaps.size === 0) return { text, at };
  const isKept = (_: unknown, k: number) => !gaps.has(k);
  return { text: text.split("").filter(isKept).join(""), at: at.filter(isKept) };
}
