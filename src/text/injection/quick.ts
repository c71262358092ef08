import { couldAddUp } from "./bound.js";
import { foldCharacter } from "./characters.js";
import { cuesOfHash, hashLetter, hashPair, NO_LETTERS } from "./cue-table.js";
import { SHORTEST_STEM } from "./lexicon.js";
import { FOREIGN, isSuspicious, LATIN, ODD, scriptOf } from "./odd.js";

/**
 * Whether a careful look at the texts of a piece of content, the title first, is worth its time: three sentences in a row, with the title, hold
 * cues that could add up, or something has an odd form. One pass, some ten nanoseconds a character.
 */
export function mayHoldInjection(texts: readonly string[]): boolean {
  let title = 0;
  for (let k = 0; k < texts.length; k++) {
    const cues = QUICK.look(texts[k]!, title);
    if (cues === ODD) return true;
    if (k === 0) title = cues;
  }
  return false;
}

const DIGIT = 4;
/** A digit after a letter; and a letter after that, as in "l3vel". */
const DIGIT_AFTER = 8;
const LEET = 16;
/** Words that are longer are none, or several. */
const LONGEST_WORD = 22;
/** A line of fewer words is read on, as in `injection-tokens.ts`. */
const SHORT_LINE = 3;
const LEAST_SPACED = 4;
const NEW_LINE = 10;
const APOSTROPHE = 39;
const CURLY_APOSTROPHE = 0x2019;

/** The state of one look, kept in one object for all of them. */
class Quick {
  private hash = NO_LETTERS;
  private stem = 0;
  /** The hash of the word before. */
  private before = NO_LETTERS;
  private length = 0;
  private scripts = 0;
  /** Words of one letter in a row. */
  private singles = 0;
  private gap = 0;
  private words = 0;
  private title = 0;
  /** Cues of this sentence and of the two before it. */
  private sentence = 0;
  private last = 0;
  private first = 0;

  /** All cues of a text, or {@link ODD} if it needs a careful look. */
  look(text: string, title: number): number {
    this.reset(title);
    let all = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 97 && code <= 122) i = this.letters(text, i);
      else if (code >= 65 && code <= 90) this.letter(code | 32, LATIN);
      else if (code >= 48 && code <= 57) this.letter(code, DIGIT);
      else if (code >= 128) {
        if (!this.readBeyond(text, i, code)) return ODD;
      } else if (code === APOSTROPHE) this.apostrophe(text, i);
      else {
        if (isSuspicious(text, i, code) || !this.endWord()) return ODD;
        if (isEnd(text, i, code) || (code === NEW_LINE && this.words > SHORT_LINE)) {
          all |= this.sentence;
          if (!this.endSentence()) return ODD;
        }
      }
    }
    if (!this.endWord()) return ODD;
    all |= this.sentence;
    return this.endSentence() ? all : ODD;
  }

  private reset(title: number): void {
    this.hash = this.before = NO_LETTERS;
    this.length = this.scripts = this.singles = this.gap = this.words = 0;
    this.sentence = this.last = this.first = 0;
    this.title = title;
  }

  /** Reads small letters up to the last one in a row, which it returns: most of most texts. */
  private letters(text: string, start: number): number {
    let { hash, length, stem } = this;
    let i = start;
    for (let code = text.charCodeAt(i); code >= 97 && code <= 122; code = text.charCodeAt(++i)) {
      hash = hashLetter(hash, code);
      if (++length === SHORTEST_STEM) stem = hash;
    }
    this.hash = hash;
    this.length = length;
    this.stem = stem;
    this.scripts |= (this.scripts & DIGIT_AFTER) !== 0 ? LATIN | LEET : LATIN;
    return i - 1;
  }

  private letter(code: number, script: number): void {
    if (script === DIGIT && (this.scripts & LATIN) !== 0) this.scripts |= DIGIT_AFTER;
    else if (script === LATIN && (this.scripts & DIGIT_AFTER) !== 0) this.scripts |= LEET;
    else this.scripts |= script;
    this.hash = hashLetter(this.hash, code);
    if (++this.length === SHORTEST_STEM) this.stem = this.hash;
  }

  /** Between letters it belongs to the word. */
  private apostrophe(text: string, i: number): void {
    if (this.length > 0 && (text.charCodeAt(i + 1) | 32) >= 97) this.letter(APOSTROPHE, 0);
    else this.endWord();
  }

  private readBeyond(text: string, i: number, code: number): boolean {
    if (code === CURLY_APOSTROPHE) {
      this.apostrophe(text, i);
      return true;
    }
    const script = scriptOf(text, i, code);
    if (script === ODD) return false;
    if (script === 0) return this.endWord();
    const letters = foldCharacter(code);
    for (let k = 0; k < letters.length; k++) this.letter(letters.charCodeAt(k), script);
    return true;
  }

  /** Adds the cues of the word that ends here; false if it is an odd one: see `injection-fold.ts`. */
  private endWord(): boolean {
    const { length, scripts } = this;
    if (length === 0) {
      this.gap++;
      return true;
    }
    if (length > LONGEST_WORD || (scripts & LEET) !== 0 || (scripts & (LATIN | FOREIGN)) === (LATIN | FOREIGN))
      return false;
    if (length > 1) this.singles = 0;
    else if (this.gap === 1) this.singles++;
    else this.singles = 1;
    if (this.singles >= LEAST_SPACED) return false;
    this.sentence |= cuesOfHash(this.hash) | cuesOfHash(hashPair(this.before, this.hash));
    if (length > SHORTEST_STEM) this.sentence |= cuesOfHash(this.stem);
    this.before = this.hash;
    this.hash = NO_LETTERS;
    this.length = 0;
    this.scripts = 0;
    this.gap = 1;
    this.words++;
    return true;
  }

  private endSentence(): boolean {
    if (this.words === 0) return true;
    const { sentence, last } = this;
    const isHarmless = !couldAddUp(this.title | sentence | last | this.first);
    this.first = last;
    this.last = sentence;
    this.sentence = 0;
    this.words = 0;
    return isHarmless;
  }
}

/** A stop that something other than a letter or digit follows. */
function isEnd(text: string, i: number, code: number): boolean {
  if (code !== 46 && code !== 33 && code !== 63 && code !== 59) return false;
  const next = text.charCodeAt(i + 1);
  return !(next >= 48 && next <= 57) && !((next | 32) >= 97 && next < 0x250);
}

const QUICK = new Quick();
