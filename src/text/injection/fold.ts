import { doubleOf, foldCharacter, isPerfectDouble, withoutDigits } from "./characters.js";
import { cuesOf } from "./lexicon.js";
import { type Draft, joinSpacedLetters, splitLast, textOf } from "./spans.js";

/** A character written by its number or name: what it means, and how long it is written. */
interface Decoded {
  text: string;
  length: number;
}

const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp|nbsp));?/iy;
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", nbsp: " " };
const ESCAPE = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt"'`\\/]))/iy;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: " " };
const PERCENT = /(?:%[0-9a-f]{2}){3}|(?<=%[0-9a-f]{2})%[0-9a-f]{2}/iy;

/** The entity (`&#105;`), escape (`\u0069`) or run of bytes (`%69%67…`, at least three) at a place, or null. */
function decodeAt(text: string, at: number): Decoded | null {
  const sign = text.charCodeAt(at);
  if (sign === 38) return decodeEntity(text, at);
  if (sign === 92) return decodeEscape(text, at);
  PERCENT.lastIndex = at;
  if (!PERCENT.test(text)) return null;
  const code = Number.parseInt(text.slice(at + 1, at + 3), 16);
  // Bytes beyond ASCII are parts of characters: what they spell is no order in letters that anyone would find.
  return { text: code < 128 ? String.fromCharCode(code) : "", length: 3 };
}

function decodeEntity(text: string, at: number): Decoded | null {
  ENTITY.lastIndex = at;
  const found = ENTITY.exec(text);
  if (!found) return null;
  const [written, hex, decimal, name] = found;
  if (name !== undefined) return { text: NAMED[name.toLowerCase()]!, length: written.length };
  return { text: character(hex ? Number.parseInt(hex, 16) : Number(decimal)), length: written.length };
}

function decodeEscape(text: string, at: number): Decoded | null {
  ESCAPE.lastIndex = at;
  const found = ESCAPE.exec(text);
  if (!found) return null;
  const [written, braced, four, two, control] = found;
  if (control !== undefined) return { text: CONTROLS[control.toLowerCase()] ?? control, length: written.length };
  return { text: character(Number.parseInt((braced ?? four ?? two)!, 16)), length: written.length };
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** A text as it is read: lower case, without accents, disguises and what nobody sees. */
export interface Folded {
  text: string;
  /** Where each character of `text` begins in the original; one more for its end. */
  at: Int32Array;
  /** Places in the original where something was not what it looked like: other scripts, invisible letters, escapes, spaced letters. */
  disguised: readonly number[];
}

const LATIN = 1;
const FOREIGN = 2;
const DIGITS = 4;
const SPACE = 32;
/** Words of a single letter in a row that make spaced letters. */
const LEAST_SPACED = 4;
const SHORTEST_RUN_TOGETHER = 14;
const LONGEST_WORD = 80;

export function foldText(text: string): Folded {
  return new Folder(text).fold();
}

class Folder {
  private readonly draft: Draft = { codes: [], at: [], disguised: [] };
  private wordStart = -1;
  private scripts = 0;
  private latinWords = 0;
  private foreignWords = 0;
  /** Words of one letter in a row. */
  private singles = 0;
  private spaced = false;

  constructor(private readonly text: string) {}

  fold(): Folded {
    const { text } = this;
    for (let i = 0; i < text.length; ) i += this.read(i);
    this.endWord();
    const { codes, at, disguised } = this.spaced ? joinSpacedLetters(this.draft) : this.draft;
    at.push(text.length);
    return { text: textOf(codes), at: Int32Array.from(at), disguised };
  }

  /** Reads what stands at a place and returns its length. */
  private read(i: number): number {
    const code = this.text.charCodeAt(i);
    if (code >= 128) {
      const point = this.text.codePointAt(i)!;
      this.putAll(foldCharacter(point), i, point > 0x24f);
      return point > 0xffff ? 2 : 1;
    }
    if (code === 38 || code === 92 || code === 37) {
      const decoded = decodeAt(this.text, i);
      if (decoded !== null) {
        const point = decoded.text.codePointAt(0) ?? 0;
        this.putAll(point < 128 ? decoded.text.toLowerCase() : foldCharacter(point), i, true);
        return decoded.length;
      }
    }
    const isLetterSign = (code === 64 || code === 36 || code === 33) && this.isInWord(i);
    this.put(code >= 65 && code <= 90 ? code | 32 : code, i, isLetterSign);
    return 1;
  }

  /** A sign that may stand for a letter: before a letter, and after one or a space. */
  private isInWord(i: number): boolean {
    return /[a-z]/i.test(this.text[i + 1] ?? "") && (i === 0 || /[a-z\s]/i.test(this.text[i - 1]!));
  }

  private putAll(characters: string, i: number, isUnusual: boolean): void {
    if (characters === "") this.draft.disguised.push(i);
    for (let k = 0; k < characters.length; k++) {
      const code = characters.charCodeAt(k);
      if (isUnusual && code >= 97 && code <= 122) this.draft.disguised.push(i);
      this.put(code, i, false);
    }
  }

  private put(code: number, i: number, isLetterSign: boolean): void {
    const script = isLetterSign ? DIGITS : scriptOf(code);
    if (script === 0) this.endWord();
    else {
      if (this.wordStart < 0) {
        this.wordStart = this.draft.codes.length;
        this.scripts = 0;
      }
      this.scripts |= script;
    }
    this.draft.codes.push(code);
    this.draft.at.push(i);
  }

  private endWord(): void {
    const start = this.wordStart;
    if (start < 0) return;
    this.wordStart = -1;
    const { scripts } = this;
    const { codes } = this.draft;
    const length = codes.length - start;
    if (length === 1 && start > 0 && this.singles > 0 && isGap(codes[start - 1]!)) this.singles++;
    else this.singles = length === 1 ? 1 : 0;
    if (this.singles >= LEAST_SPACED) this.spaced = true;
    if ((scripts & FOREIGN) === 0) this.latinWords++;
    if (length > LONGEST_WORD || (scripts === LATIN && length < SHORTEST_RUN_TOGETHER)) return;
    const word = textOf(codes.slice(start));
    if ((scripts & FOREIGN) !== 0) this.readDoubles(word, start, (scripts & LATIN) !== 0);
    if ((scripts & DIGITS) !== 0 && scripts !== DIGITS) this.readDigits(word, start);
    if (length >= SHORTEST_RUN_TOGETHER) splitLast(this.draft, start);
  }

  /** Letters of another script in a Latin word, or a word that could be Latin in a Latin text. */
  private readDoubles(word: string, start: number, isMixed: boolean): void {
    const latin = Array.from(word, (letter) => (letter < "\u0080" ? letter : (doubleOf(letter) ?? letter))).join("");
    const isLatin = isMixed || (this.latinWords > 2 * this.foreignWords && Array.from(word).every(isPerfectDouble));
    if (isLatin && latin !== word) {
      this.replace(start, latin);
      this.latinWords++;
    } else this.foreignWords++;
  }

  private readDigits(word: string, start: number): void {
    for (const one of ["i", "l"] as const) {
      const read = withoutDigits(word, one);
      if (read !== word && cuesOf(read) !== 0) {
        this.replace(start, read);
        return;
      }
    }
  }

  /** Puts a word of the same length in the place of the last one. */
  private replace(start: number, word: string): void {
    const { codes, at, disguised } = this.draft;
    if (word.length !== codes.length - start) return;
    for (let k = 0; k < word.length; k++) codes[start + k] = word.charCodeAt(k);
    disguised.push(at[start]!);
  }
}

const LETTER = /^[\p{L}\p{M}]$/u;

function scriptOf(code: number): number {
  if (code < 128) return code >= 97 && code <= 122 ? LATIN : code >= 48 && code <= 57 ? DIGITS : 0;
  return LETTER.test(String.fromCharCode(code)) ? FOREIGN : 0;
}

function isGap(code: number): boolean {
  return code === SPACE || code === 46 || code === 95 || code === 45 || code === 42;
}
