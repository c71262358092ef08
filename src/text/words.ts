import { isAscii } from "./printable.js";

/** A run of letters, digits, `-` and `_` in a folded text: the form in which rule ids are written (`r3`, `pottery-p1`). */
export interface Word {
  text: string;
  start: number;
  end: number;
  /** Only ASCII letters and digits: already a token. */
  plain: boolean;
}

/** A text in lower case, with compatibility characters unified (full-width digits, ligatures), and its words. */
export interface FoldedText {
  text: string;
  words: Word[];
}

export function foldText(original: string): FoldedText {
  if (isAscii(original)) {
    const text = original.toLowerCase();
    return { text, words: scanAsciiWords(text) };
  }
  const text = original.normalize("NFKC").toLowerCase();
  return { text, words: scanUnicodeWords(text) };
}

function scanAsciiWords(text: string): Word[] {
  const words: Word[] = [];
  let start = -1;
  let plain = true;
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0;
    if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)) {
      if (start < 0) start = i;
    } else if (isJoiner(unit)) {
      if (start < 0) start = i;
      plain = false;
    } else if (start >= 0) {
      if (plain) words.push({ text: text.slice(start, i), start, end: i, plain });
      else pushTrimmed(words, text, start, i);
      start = -1;
      plain = true;
    }
  }
  return words;
}

/** The words of a text that is already folded. */
export function scanUnicodeWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu)) {
    pushTrimmed(words, text, match.index, match.index + match[0].length);
  }
  return words;
}

/** Dashes at the edges are punctuation (`R3 - no links`); inside a word they are spelling. */
function pushTrimmed(words: Word[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && isJoiner(text.charCodeAt(start))) start++;
  while (end > start && isJoiner(text.charCodeAt(end - 1))) end--;
  if (end === start) return;
  const word = text.slice(start, end);
  words.push({ text: word, start, end, plain: PLAIN.test(word) });
}

const PLAIN = /^[a-z0-9]+$/;

function isJoiner(unit: number): boolean {
  return unit === 0x2d || unit === 0x5f;
}

/** Scripts written without spaces: their runs are compared by pairs of characters. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/** Appends the tokens of one word: its parts between dashes, and character pairs in scripts without spaces. */
export function pushTokens(tokens: string[], word: Word): void {
  if (word.plain) {
    tokens.push(word.text);
    return;
  }
  for (const part of word.text.split(/[-_]+/)) {
    let from = 0;
    for (const match of part.matchAll(UNSPACED)) {
      if (match.index > from) tokens.push(part.slice(from, match.index));
      const characters = [...match[0]];
      if (characters.length === 1) tokens.push(match[0]);
      for (let i = 0; i + 1 < characters.length; i++) tokens.push(`${characters[i]}${characters[i + 1]}`);
      from = match.index + match[0].length;
    }
    if (from < part.length) tokens.push(part.slice(from));
  }
}

/** The tokens of a text, in order: lower-case runs of letters and digits; pairs of characters where a script has no spaces. */
export function tokenise(text: string): string[] {
  if (isAscii(text)) return scanAsciiTokens(text.toLowerCase());
  const tokens: string[] = [];
  for (const word of foldText(text).words) pushTokens(tokens, word);
  return tokens;
}

/** The same for a folded text in which everything but letters and digits, dashes included, only separates tokens. */
function scanAsciiTokens(text: string): string[] {
  const tokens: string[] = [];
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      tokens.push(text.slice(start, i));
      start = -1;
    }
  }
  if (start >= 0) tokens.push(text.slice(start));
  return tokens;
}

/**
 * A word's stem, for both English and Spanish, deliberately light: rules and content go through the same function, so it only
 * matters that forms of one word meet ("selling", "sells" → "sell"; "vendo", "vender" → "vend"). Accents are dropped.
 */
export function stem(word: string): string {
  let stemmed = ASCII.test(word) ? word : word.normalize("NFD").replace(COMBINING, "");
  if (stemmed.endsWith("'s")) stemmed = stemmed.slice(0, -2);
  if (stemmed.length <= 3) return stemmed;
  stemmed = dropPlural(stemmed);
  for (const ending of ENDINGS) {
    if (
      stemmed.endsWith(ending) &&
      stemmed.length - ending.length >= (ending.length === 2 && ending.endsWith("r") ? 4 : 3)
    ) {
      stemmed = undouble(stemmed.slice(0, -ending.length));
      break;
    }
  }
  if (stemmed.length > 4 && /[eoa]$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
  return stemmed.endsWith("y") ? `${stemmed.slice(0, -1)}i` : stemmed;
}

const ASCII = /^[\x00-\x7f]*$/;
const COMBINING = /[\u0300-\u036f]/g;
/** Longest first. */
const ENDINGS = ["iendo", "ando", "ment", "ing", "ed", "ly", "er", "ar", "ir"];

function dropPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

/** Folds text for searches: ignores case, accents and variant forms of a letter. "Ñandú" is found by "nandu". */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "");
}

/** Characters of a text: an emoji of two UTF-16 units counts as one. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** 12345 -> "12,345". Without `Intl`, whose first number takes 9 ms. */
export function whole(count: number): string {
  return Number.isSafeInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ",") : count.toLocaleString("en");
}

/** "1 verdict", "12,345 verdicts". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
