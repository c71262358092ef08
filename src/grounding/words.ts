import { isAscii } from "../signals/utf8.js";

/** Lower case and one spelling for compatible characters (full-width digits, ligatures). */
export function foldText(text: string): string {
  return (isAscii(text) ? text : text.normalize("NFKC")).toLowerCase();
}

/** A stretch of letters, digits, `-` and `_` in a folded text: the unit in which rule ids are written (`r3`, `pottery-p1`). */
export interface Word {
  text: string;
  start: number;
  end: number;
}

export function scanWords(folded: string): Word[] {
  return isAscii(folded) ? scanAsciiWords(folded) : scanUnicodeWords(folded);
}

function scanAsciiWords(folded: string): Word[] {
  const words: Word[] = [];
  let start = -1;
  for (let i = 0; i <= folded.length; i++) {
    if (i < folded.length && isAsciiWordUnit(folded.charCodeAt(i))) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      pushTrimmed(words, folded, start, i);
      start = -1;
    }
  }
  return words;
}

function scanUnicodeWords(folded: string): Word[] {
  const words: Word[] = [];
  for (const match of folded.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu)) {
    pushTrimmed(words, folded, match.index, match.index + match[0].length);
  }
  return words;
}

/** Dashes at the border are punctuation (`R3 - no links`), inside they are spelling. */
function pushTrimmed(words: Word[], folded: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && isJoiner(folded.charCodeAt(start))) start++;
  while (end > start && isJoiner(folded.charCodeAt(end - 1))) end--;
  if (end > start) words.push({ text: folded.slice(start, end), start, end });
}

function isAsciiWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || isJoiner(unit);
}

function isJoiner(unit: number): boolean {
  return unit === 0x2d || unit === 0x5f;
}

/** Scripts written without spaces: their runs are compared by pairs of characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/** Appends the tokens of one word: its parts between dashes, and character pairs in scripts without spaces. */
export function pushTokens(tokens: string[], word: string): void {
  let plain = true;
  for (let i = 0; i < word.length && plain; i++) {
    const unit = word.charCodeAt(i);
    plain = unit < 0x80 && !isJoiner(unit);
  }
  if (plain) {
    tokens.push(word);
    return;
  }
  for (const part of word.split(/[-_]+/)) {
    if (isAscii(part)) tokens.push(part);
    else pushUnspaced(tokens, part);
  }
}

function pushUnspaced(tokens: string[], part: string): void {
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

/** The tokens of a text, in order: lower-case runs of letters and digits; pairs of characters where a script has no spaces. */
export function tokenise(text: string): string[] {
  const tokens: string[] = [];
  for (const word of scanWords(foldText(text))) pushTokens(tokens, word.text);
  return tokens;
}
