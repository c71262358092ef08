import {
  APOSTROPHE,
  ASTERISK,
  AT,
  BEYOND_ASCII,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  CURLY_APOSTROPHE,
  DIGIT,
  DOT,
  EXCLAMATION,
  HYPHEN,
  isEmoji,
  isInitial,
  isQuotationMark,
  isWordCharacter,
  KELVIN,
  KINDS,
  NEW_LINE,
  OTHER,
  QUESTION,
  SEMICOLON,
  SPACE,
  UPPER,
} from "./characters.js";
import { EMPTY_HASH, hashLetter, LETTERS_OF_A_TEXT, lexemes } from "./lexemes.js";
import { ANY_TRAIT, trait } from "./word-traits.js";
import { emptyZone, type Zone } from "./zone.js";

/** The words of a text in parallel lists, which the next text overwrites: cheaper than an object a word, and read many times. */
export interface Words {
  count: number;
  /** Number among all words met in content. */
  lexemes: Int32Array;
  /** Number in the frame's vocabulary, or below 0; filled in by the vocabulary. */
  ids: Int32Array;
  starts: Int32Array;
  /** Bits: {@link NEGATED}, {@link QUOTED}. */
  flags: Uint8Array;
  /** Which sentence, from 0. */
  sentences: Int32Array;
  /** Traits that some word of the text has. */
  traits: number;
}

export const NEGATED = 1;
export const QUOTED = 2;

/** A word of the text, lower case, with plain apostrophes. */
export function wordAt(words: Words, index: number): string | undefined {
  return index < words.count ? lexemes.text(words.lexemes[index]!) : undefined;
}

export interface Scan {
  words: Words;
  titleZone: Zone;
  bodyZone: Zone;
  digits: number;
  /** A number that is not somebody's wish for a level ("answer level 1"). */
  hasNumbers: boolean;
  hasAt: boolean;
}

/** Characters of a text that are scanned at most. */
export const LONGEST_TEXT = 8001;
const MOST_WORDS = (LONGEST_TEXT + 1) / 2;

/** One pass over the text: words with their places, and counts for title and body. */
export function scanWords(text: string, bodyStart: number): Scan {
  return new Scanner(text, bodyStart).scan();
}

const NEGATORS: ReadonlySet<string> = new Set(
  `no not never without nobody nothing none neither nor cannot can't don't doesn't didn't isn't aren't wasn't won't wouldn't sin nunca ni
  nada tampoco`.split(/\s+/),
);
const NEGATOR = trait((word) => NEGATORS.has(word));
const LEVEL = trait((word) => word === "level");
/** Words after a negator that it still reaches. */
const NEGATION_REACH = 3;

const WORDS: Words = {
  count: 0,
  lexemes: new Int32Array(MOST_WORDS),
  ids: new Int32Array(MOST_WORDS),
  starts: new Int32Array(MOST_WORDS),
  flags: new Uint8Array(MOST_WORDS),
  sentences: new Int32Array(MOST_WORDS),
  traits: 0,
};
/** The letters of the word that is being read, lower case. */
const letters = new Uint16Array(LETTERS_OF_A_TEXT);

class Scanner {
  private readonly titleZone = emptyZone();
  private readonly bodyZone = emptyZone();
  private zone: Zone;
  private readonly end: number;
  private sentence = 0;
  private sentenceWords = 0;
  private negation = 0;
  private quoted = false;
  private capitalsRun = 0;
  private markRun = 0;
  private lineStart = true;
  private lastTraits = 0;
  private digits = 0;
  private hasNumbers = false;
  private hasAt = false;

  constructor(
    private readonly text: string,
    private readonly bodyStart: number,
  ) {
    this.zone = bodyStart > 0 ? this.titleZone : this.bodyZone;
    this.end = Math.min(text.length, LONGEST_TEXT);
    lexemes.makeRoom();
    WORDS.count = 0;
    WORDS.traits = 0;
  }

  scan(): Scan {
    const { text, bodyStart, end } = this;
    for (let i = 0; i < end; ) {
      const code = text.charCodeAt(i);
      if (isWordCharacter(code)) {
        i = this.readWord(i);
        continue;
      }
      if (code !== SPACE) this.readSign(code);
      if (i === bodyStart - 1) this.enterBody();
      i++;
    }
    this.endSentence();
    this.titleZone.characters = Math.max(0, bodyStart - 1);
    this.bodyZone.characters = end - bodyStart;
    const { titleZone, bodyZone, digits, hasNumbers, hasAt } = this;
    return { words: WORDS, titleZone, bodyZone, digits, hasNumbers, hasAt };
  }

  /** Reads the word that begins at `start` and returns where it ends. */
  private readWord(start: number): number {
    const { text, end } = this;
    let length = 0;
    let hash = EMPTY_HASH;
    let upper = 0;
    let digits = 0;
    let signs = 0;
    let irregular = false;
    let i = start;
    for (; i < end; i++) {
      const code = text.charCodeAt(i);
      const kind = code < 128 ? KINDS[code]! : isWordCharacter(code) ? BEYOND_ASCII : OTHER;
      let letter = code;
      if (kind === UPPER) {
        upper++;
        letter = code | 32;
      } else if (kind === DIGIT) digits++;
      else if (kind === BEYOND_ASCII) {
        irregular = true;
        if (code <= 0xde) upper++;
      } else if (kind === OTHER) {
        if (!this.isInsideWord(code, i, start)) break;
        signs++;
        if (code === DOT) WORDS.traits = ANY_TRAIT;
        irregular ||= code === DOT || code === CURLY_APOSTROPHE;
      }
      letters[length++] = letter;
      hash = hashLetter(hash, letter);
    }
    const lexeme = irregular ? irregularWord(text.slice(start, i)) : lexemes.numberOf(letters, length, hash);
    this.endWord(lexeme, start, i, upper, digits, i - start - digits - signs);
    return i;
  }

  /** An apostrophe or hyphen between letters belongs to the word (don't, e-mail), and so do the dots of initials (a.s.a.p). */
  private isInsideWord(code: number, at: number, start: number): boolean {
    const { text } = this;
    if (code === APOSTROPHE || code === CURLY_APOSTROPHE || code === HYPHEN) {
      return at + 1 < this.end && isWordCharacter(text.charCodeAt(at + 1));
    }
    return code === DOT && at - start <= 9 && isInitial(text, at) && isInitial(text, at + 2);
  }

  private endWord(
    lexeme: number,
    start: number,
    end: number,
    upper: number,
    digits: number,
    letterCount: number,
  ): void {
    const { zone } = this;
    if (digits > 0) {
      this.digits += digits;
      if ((this.lastTraits & LEVEL) === 0) this.hasNumbers = true;
      if (this.lineStart && letterCount === 0) {
        const next = end < this.end ? this.text.charCodeAt(end) : SPACE;
        if (next === DOT || next === CLOSING_BRACKET) zone.listItems++;
      }
    }
    zone.words++;
    zone.letters += letterCount;
    zone.capitals += upper;
    if (letterCount >= 2 && upper === letterCount) {
      if (++this.capitalsRun > zone.capitalsRun) zone.capitalsRun = this.capitalsRun;
    } else if (letterCount > 0 && !(letterCount === 1 && upper === 1)) this.capitalsRun = 0;
    const index = WORDS.count++;
    const traits = lexemes.traitsOf(lexeme);
    WORDS.lexemes[index] = lexeme;
    WORDS.starts[index] = start;
    WORDS.flags[index] = (this.negation > 0 ? NEGATED : 0) | (this.quoted ? QUOTED : 0);
    WORDS.sentences[index] = this.sentence;
    WORDS.traits |= traits;
    this.lastTraits = traits;
    this.sentenceWords++;
    this.negation = (traits & NEGATOR) !== 0 ? NEGATION_REACH : this.negation - 1;
    this.lineStart = false;
    this.markRun = 0;
  }

  private readSign(code: number): void {
    const { zone } = this;
    if (code === QUESTION || code === EXCLAMATION) {
      if (code === QUESTION) zone.questionMarks++;
      if (++this.markRun > zone.markRun) zone.markRun = this.markRun;
      this.endSentence();
    } else if (code === DOT) this.endSentence();
    else if (code === NEW_LINE) {
      this.endSentence();
      this.lineStart = true;
      this.quoted = false;
      this.capitalsRun = 0;
    } else if (code === COMMA || code === SEMICOLON || code === COLON) this.negation = 0;
    else if (isQuotationMark(code)) this.quoted = !this.quoted;
    else if (code === AT) this.hasAt = true;
    else if (this.lineStart && (code === HYPHEN || code === ASTERISK || code === 0x2022 || code === 0x2013))
      zone.listItems++;
    else if (isEmoji(code)) zone.emoji++;
    // A pattern that ignores case takes the sign of the unit kelvin for a k, and so reads a word where here are two.
    else if (code === KELVIN) WORDS.traits = ANY_TRAIT;
  }

  private endSentence(): void {
    if (this.sentenceWords > 0) {
      this.zone.sentences++;
      this.sentence++;
    }
    this.sentenceWords = 0;
    this.negation = 0;
  }

  private enterBody(): void {
    this.endSentence();
    this.zone = this.bodyZone;
    this.lineStart = true;
  }
}

/** The number of a word with letters beyond ASCII, curly apostrophes or the dots of initials. */
function irregularWord(written: string): number {
  const word = written.toLowerCase().replace("’", "'").replaceAll(".", "");
  let hash = EMPTY_HASH;
  for (let i = 0; i < word.length; i++) {
    letters[i] = word.charCodeAt(i);
    hash = hashLetter(hash, letters[i]!);
  }
  return lexemes.numberOf(letters, word.length, hash);
}
