/** The words of a text in parallel lists: cheaper than an object a word, and read many times. */
export interface Words {
  count: number;
  /** Lower case, with plain apostrophes. */
  texts: string[];
  /** Number in the frame's vocabulary, or below 0. */
  ids: number[];
  starts: number[];
  /** Bits: {@link NEGATED}, {@link QUOTED}. */
  flags: number[];
  /** Which sentence, from 0. */
  sentences: number[];
}

export const NEGATED = 1;
export const QUOTED = 2;

/** Counts over the title or the body. */
export interface Zone {
  words: number;
  letters: number;
  capitals: number;
  /** Most words in a row in capitals. */
  capitalsRun: number;
  questionMarks: number;
  /** Most question or exclamation marks in a row. */
  markRun: number;
  emoji: number;
  /** Lines that begin with a dash, a bullet or a number. */
  listItems: number;
  sentences: number;
  characters: number;
}

export interface Scan {
  words: Words;
  titleZone: Zone;
  bodyZone: Zone;
  hasDigits: boolean;
  /** A number that is not somebody's wish for a level ("answer level 1"). */
  hasNumbers: boolean;
  hasAt: boolean;
}

/** One pass over the text: words with their places, and counts for title and body. `lookUp` gives a word its number. */
export function scanWords(text: string, bodyStart: number, lookUp: (word: string) => number): Scan {
  return new Scanner(text, bodyStart, lookUp).scan();
}

const NEGATORS: ReadonlySet<string> = new Set(
  `no not never without nobody nothing none neither nor cannot can't don't doesn't didn't isn't aren't wasn't won't wouldn't sin nunca ni
  nada tampoco`.split(/\s+/),
);
const LONGEST_NEGATOR = 8;
/** Words after a negator that it still reaches. */
const NEGATION_REACH = 3;

class Scanner {
  private readonly words: Words = { count: 0, texts: [], ids: [], starts: [], flags: [], sentences: [] };
  private readonly titleZone = emptyZone();
  private readonly bodyZone = emptyZone();
  private zone: Zone;
  private start = -1;
  private upper = 0;
  private letters = 0;
  private digits = 0;
  /** The word holds a letter whose case only the language knows. */
  private beyondLatin = false;
  /** The word holds a sign that is not a letter. */
  private irregular = false;
  private sentence = 0;
  private sentenceWords = 0;
  private negation = 0;
  private quoted = false;
  private capitalsRun = 0;
  private markRun = 0;
  private lineStart = true;
  private hasDigits = false;
  private hasNumbers = false;
  private hasAt = false;

  constructor(
    private readonly text: string,
    private readonly bodyStart: number,
    private readonly lookUp: (word: string) => number,
  ) {
    this.zone = bodyStart > 0 ? this.titleZone : this.bodyZone;
  }

  scan(): Scan {
    const { text, bodyStart } = this;
    const end = text.length;
    for (let i = 0; i <= end; i++) {
      const code = i < end ? text.charCodeAt(i) : SPACE;
      if (isWordCharacter(code)) this.addCharacter(code, i);
      else if (this.start >= 0 && this.isInsideWord(code, i)) this.irregular = true;
      else {
        if (this.start >= 0) this.endWord(code, i);
        if (code !== SPACE) this.readSign(code);
        if (i === bodyStart - 1) this.enterBody();
      }
    }
    this.endSentence();
    this.titleZone.characters = Math.max(0, bodyStart - 1);
    this.bodyZone.characters = end - bodyStart;
    const { words, titleZone, bodyZone, hasDigits, hasNumbers, hasAt } = this;
    return { words, titleZone, bodyZone, hasDigits, hasNumbers, hasAt };
  }

  private addCharacter(code: number, at: number): void {
    if (this.start < 0) this.start = at;
    if (code >= 48 && code <= 57) this.digits++;
    else {
      this.letters++;
      if ((code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde)) this.upper++;
      else if (code > 0xff) this.beyondLatin = true;
    }
  }

  /** An apostrophe or hyphen between letters belongs to the word (don't, e-mail), and so do the dots of initials (a.s.a.p). */
  private isInsideWord(code: number, at: number): boolean {
    const { text } = this;
    if (code === APOSTROPHE || code === CURLY_APOSTROPHE || code === HYPHEN) {
      return at + 1 < text.length && isWordCharacter(text.charCodeAt(at + 1));
    }
    return code === DOT && at - this.start <= 9 && isInitial(text, at) && isInitial(text, at + 2);
  }

  private endWord(code: number, end: number): void {
    const { words, zone, letters, digits, upper } = this;
    const written = this.text.slice(this.start, end);
    const raw = upper > 0 || this.beyondLatin ? written.toLowerCase() : written;
    const word = this.irregular ? raw.replace("’", "'").replaceAll(".", "") : raw;
    if (digits > 0) {
      this.hasDigits = true;
      if (words.count === 0 || words.texts[words.count - 1] !== "level") this.hasNumbers = true;
      if (this.lineStart && letters === 0 && (code === DOT || code === CLOSING_BRACKET)) zone.listItems++;
    }
    zone.words++;
    zone.letters += letters;
    zone.capitals += upper;
    if (letters >= 2 && upper === letters) {
      if (++this.capitalsRun > zone.capitalsRun) zone.capitalsRun = this.capitalsRun;
    } else if (letters > 0 && !(letters === 1 && upper === 1)) this.capitalsRun = 0;
    words.texts.push(word);
    words.ids.push(this.lookUp(word));
    words.starts.push(this.start);
    words.flags.push((this.negation > 0 ? NEGATED : 0) | (this.quoted ? QUOTED : 0));
    words.sentences.push(this.sentence);
    words.count++;
    this.sentenceWords++;
    this.negation = word.length <= LONGEST_NEGATOR && NEGATORS.has(word) ? NEGATION_REACH : this.negation - 1;
    this.start = -1;
    this.upper = 0;
    this.letters = 0;
    this.digits = 0;
    this.irregular = false;
    this.beyondLatin = false;
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

const SPACE = 32;
const EXCLAMATION = 33;
const APOSTROPHE = 39;
const CLOSING_BRACKET = 41;
const ASTERISK = 42;
const COMMA = 44;
const HYPHEN = 45;
const DOT = 46;
const COLON = 58;
const SEMICOLON = 59;
const QUESTION = 63;
const AT = 64;
const NEW_LINE = 10;
const CURLY_APOSTROPHE = 0x2019;

function emptyZone(): Zone {
  return {
    words: 0,
    letters: 0,
    capitals: 0,
    capitalsRun: 0,
    questionMarks: 0,
    markRun: 0,
    emoji: 0,
    listItems: 0,
    sentences: 0,
    characters: 0,
  };
}

function isQuotationMark(code: number): boolean {
  return code === 34 || (code >= 0x201c && code <= 0x201e) || code === 0xab || code === 0xbb;
}

/** The first half of most emoji, or one of the older pictures. */
function isEmoji(code: number): boolean {
  return code >= 0x2600 && (code <= 0x27bf || (code >= 0xd83c && code <= 0xd83e) || code === 0x2b50);
}

/** A single letter right before `at`. */
function isInitial(text: string, at: number): boolean {
  if (at > text.length) return false;
  const code = text.charCodeAt(at - 1);
  return code > 57 && isWordCharacter(code) && !isWordCharacter(text.charCodeAt(at - 2));
}

function isWordCharacter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  if (code < 0x2000) return code >= 0xc0 && code !== 0xd7 && code !== 0xf7;
  return (code >= 0x2c00 && code <= 0x2dff) || (code >= 0x3040 && code <= 0xd7ff);
}
