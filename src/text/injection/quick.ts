import { foldCharacter } from "./characters.js";
import { cuesOfHash, hashLetter, hashPair, NO_LETTERS } from "./cue-table.js";
import { CUE } from "./cues.js";
import { SHORTEST_STEM } from "./lexicon.js";
import { ENOUGH } from "./score.js";

const LATIN = 1;
const FOREIGN = 2;
/** What only a careful look can read. */
const ODD = -1;

/** The script of a character beyond ASCII, 0 for a sign, {@link ODD} for what is no ordinary text. */
function scriptOf(text: string, at: number, code: number): number {
  if (code < 0x250) return code === 0xad ? ODD : code >= 0xc0 && code !== 0xd7 && code !== 0xf7 ? LATIN : 0;
  if (code >= 0x370 && code < 0x1d00) return FOREIGN;
  if (code < 0x370 || code < 0x2000) return ODD;
  // Punctuation and pictures; of what is invisible only what emoji need is ordinary.
  if (code >= 0x2010 && code <= 0x2027) return 0;
  if (code === 0xfe0f || (code === 0x200d && text.charCodeAt(at - 1) > 0x2000)) return 0;
  if (code >= 0x2030 && code < 0x2460 && !(code >= 0x2060 && code <= 0x206f)) return 0;
  if (code >= 0x2500 && code < 0x2c00) return 0;
  // Surrogates of emoji; those of letters in other shapes are odd.
  if (code >= 0xd83c && code <= 0xd83e) {
    const low = text.charCodeAt(at + 1);
    return code === 0xd83c && low >= 0xdd00 && low < 0xde00 ? ODD : 0;
  }
  return code >= 0xdc00 && code <= 0xdfff ? 0 : ODD;
}

const AMPERSAND = 38;
const BACKSLASH = 92;
const LESS = 60;
const BRACE = 123;

/** Signs that begin markup, code, escapes and forms, where what follows makes them so. */
function isSuspicious(text: string, at: number, code: number): boolean {
  if (code === LESS || code === BRACE || code === BACKSLASH) return text.charCodeAt(at + 1) > 32;
  if (code === AMPERSAND) return text[at + 1] === "#" || /^(?:lt|gt|quot|amp|apos)/.test(text.slice(at + 1, at + 5));
  if (code === 37) return /^[0-9a-f]{2}%/i.test(text.slice(at + 1, at + 4));
  if (code === 91) return /^(?:\/|inst|tool_|system_)/i.test(text.slice(at + 1, at + 9));
  if (code === 125 || code === 93) return /["'`]\s{0,3}$/.test(text.slice(Math.max(0, at - 4), at));
  // An "a" or "s" in a word; an e-mail address has a dot behind it.
  if (code === 64 || code === 36) return /^.[a-z]{2,20}(?![\w.-])/i.test(text.slice(at, at + 24));
  return false;
}

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

/** Whether words with these cues could be an attempt: the most points that `injection-score.ts` could give them, all in one sentence. */
function couldAddUp(found: number): boolean {
  const has = (cue: number) => (found & cue) !== 0;
  const worth = (condition: boolean, points: number) => (condition ? points : 0);
  const says = has(CUE.say);
  const listener = has(CUE.auditor | CUE.machine);
  const level = has(CUE.level) && has(CUE.one);
  const wanted = has(CUE.orders | CUE.rules);
  const reach = worth(has(CUE.prior), 1) + worth(has(CUE.all), 1);
  const isSkipped = has(CUE.skip) || (has(CUE.follow) && has(CUE.not));
  const isGranted = has(CUE.approve | CUE.complies | CUE.skip) || (has(CUE.follow | CUE.approve) && has(CUE.not));
  const points =
    worth(wanted && has(CUE.override), 2 + reach) +
    worth(wanted && !has(CUE.override) && isSkipped, 1 + reach) +
    worth(!wanted && has(CUE.override) && reach === 2, 2) +
    worth(level, 1 + worth(says, 2) + worth(has(CUE.must), 1) + worth(has(CUE.decision), 1)) +
    worth(has(CUE.result), 1 + worth(says, 1) + worth(has(CUE.decision), 1)) +
    worth(says && has(CUE.decision), 1) +
    worth(says && has(CUE.complies), 2) +
    worth(has(CUE.inverse) && has(CUE.yesNo), 2) +
    worth(has(CUE.field), 4) +
    worth(says && has(CUE.approve) && has(CUE.post), 1) +
    worth(has(CUE.auditor), 1) +
    worth(has(CUE.machine), 1) +
    worth(listener, 1 + worth(has(CUE.must), 1)) +
    worth(has(CUE.you) && has(CUE.be) && (listener || has(CUE.moderator)), 3) +
    worth(has(CUE.role), 2) +
    worth(has(CUE.authority), 1) +
    worth(has(CUE.threat) && (has(CUE.you) || listener), 2) +
    worth(has(CUE.you) && has(CUE.all) && has(CUE.format), 1 + worth(says || has(CUE.only), 1)) +
    worth(has(CUE.you) && has(CUE.all) && has(CUE.orders), 1) +
    worth(has(CUE.you) && has(CUE.not) && has(CUE.follow), 1) +
    worth((wanted || has(CUE.decision)) && (has(CUE.approve) || (isGranted && has(CUE.all | CUE.only | CUE.not))), 4);
  return points >= ENOUGH;
}
