import { doubleOf, foldCharacter } from "./characters.js";
import { cuesOf, splitRunTogether } from "./cues.js";

/** A text as it is read: lower case, without accents, disguises and what is invisible. */
export interface Folded {
  text: string;
  /** Where each character of `text` begins in the original; one more for its end. */
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

/** What an unusual stretch means; null: itself. */
function decode([written, hex, decimal, name, braced, four, two, control, percent]: RegExpMatchArray): string | null {
  const code = hex ?? braced ?? four ?? two;
  if (code !== undefined) return character(Number.parseInt(code, 16));
  if (decimal !== undefined) return character(Number(decimal));
  if (name !== undefined || control !== undefined) {
    const said = (name ?? control)!.toLowerCase();
    return MEANT.get(said) ?? said;
  }
  // Bytes beyond ASCII are parts of characters, which spell no order.
  if (percent !== undefined) return bytes(written.replaceAll("%", "")).replace(/[^\0-\x7f]/g, "");
  return written.length < 24 ? written : decodeBlob(written);
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function bytes(hex: string): string {
  return hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}

/** Text in base64 or hexadecimal numbers, as a comment, since a page does not show it either; null if the blob is no text. */
function decodeBlob(blob: string): string | null {
  let text: string;
  if (/^(?:[0-9a-f]{2})+$/i.test(blob)) text = bytes(blob);
  // Words and names run together have no such mixture.
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

/** Words with letters of other scripts, or digits for letters, as they are meant. Keeps the length. */
function readWords(text: string): string {
  let isLatin: boolean | null = null;
  return text.replace(WORD, (word) => {
    if (/^[a-z]+$/.test(word)) return word;
    isLatin ??= 2 * (text.match(/[a-z]/g)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0);
    if (/[a-z]/.test(word) || (isLatin && Array.from(word).every(isPerfectDouble))) {
      const plain = Array.from(word, (letter) => doubleOf(letter) ?? letter).join("");
      if (/^[a-z]+$/.test(plain)) return plain;
      for (const one of ["i", "l"]) {
        const read = plain.replace(/[013457@$!]/g, (sign) => LEET[sign] ?? one);
        if (cuesOf(read) !== 0) return read;
      }
      return plain;
    }
    return word;
  });
}

/** Letters that look exactly like their double: a whole word of them may be meant as Latin. */
function isPerfectDouble(letter: string): boolean {
  return "аеорсхуіјѕԁһӏοανι".includes(letter);
}

const SPACED = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ ._*-]{1,4}[\p{L}\p{N}](?![\p{L}\p{N}])){3,400}/gu;
const RUN_TOGETHER = /(?<![a-z0-9])[a-z0-9]{14,80}(?![a-z0-9])/g;

/** "i g n o r e" and "ignoreallprevious" as words. */
function joinLetters(folded: Folded): Folded {
  const isSpaced = /\S[ ._*-]{1,4}\S[ ._*-]{1,4}\S[ ._*-]/.test(folded.text);
  const spaced = !isSpaced
    ? folded
    : edit(folded, SPACED, (run) =>
        // The first gap separates letters, any other one words.
        run
          .replace(/([ ._*-]+)(?=[\p{L}\p{N}])/gu, (gap) => (gap === run[1] ? "" : gap))
          .replace(/[a-z0-9]{8,}/g, (word) => splitRunTogether(word) ?? word),
      );
  return edit(spaced, RUN_TOGETHER, (word) => (cuesOf(word) === 0 ? splitRunTogether(word) : null));
}

/** Replaces matches by the same letters with characters left out or spaces put in; each keeps its place in the original. */
function edit({ text, at }: Folded, pattern: RegExp, change: (match: string) => string | null): Folded {
  let result = "";
  const places: number[] = [];
  let copied = 0;
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const changed = change(match);
    if (changed === null || changed === match) continue;
    result += text.slice(copied, index) + changed;
    for (let k = copied; k < index; k++) places.push(at[k]!);
    let from = 0;
    for (let k = 0; k < changed.length; k++) {
      while (changed[k] !== " " && match[from] !== changed[k] && from < match.length) from++;
      places.push(at[index + from]!);
      if (match[from] === changed[k]) from++;
    }
    copied = index + match.length;
  }
  if (copied === 0) return { text, at };
  for (let k = copied; k < at.length; k++) places.push(at[k]!);
  return { text: result + text.slice(copied), at: places };
}
