/** The words of a text in parallel lists: cheaper than an object a word, and read many times. */
export interface Words {
  count: number;
  texts: string[];
  /** Number in the frame's vocabulary, or -1. */
  ids: number[];
  starts: number[];
  /** Bits: {@link NEGATED}, {@link QUOTED}, {@link IN_TITLE}, {@link CAPITALS}. */
  flags: number[];
  /** Which sentence, from 0; never above 31, so that a set of sentences fits in a number. */
  sentences: number[];
}

export const NEGATED = 1;
export const QUOTED = 2;
export const IN_TITLE = 4;

/** Counts over the title or the body. */
export interface Zone {
  words: number;
  letters: number;
  capitals: number;
  /** Most words in a row in capitals, and capitals among words of three letters or more. */
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

const NEGATORS: ReadonlySet<string> = new Set(
  "no not never without nobody nothing none neither nor cannot can't don't doesn't didn't isn't aren't wasn't won't wouldn't sin nunca ni nada tampoco".split(
    " ",
  ),
);
/** Words after a negator that it still reaches. */
const NEGATION_REACH = 3;

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

/** One pass over the text: words with their places, and counts for title and body. */
export function scanWords(text: string, bodyStart: number, lookUp: (word: string) => number): Scan {
  const words: Words = { count: 0, texts: [], ids: [], starts: [], flags: [], sentences: [] };
  const titleZone = emptyZone();
  const bodyZone = emptyZone();
  const end = text.length;
  let zone = bodyStart > 0 ? titleZone : bodyZone;
  let inTitle = bodyStart > 0;
  let start = -1;
  let upper = 0;
  let letters = 0;
  let digits = 0;
  let sentence = 0;
  let sentenceWords = 0;
  let negation = 0;
  let quoted = false;
  let capitalsRun = 0;
  let markRun = 0;
  let hasDigits = false;
  let hasNumbers = false;
  let hasAt = false;
  let lineStart = true;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    if (isWordCharacter(code)) {
      if (start < 0) start = i;
      if (code >= 48 && code <= 57) digits++;
      else {
        letters++;
        if ((code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde)) upper++;
      }
      continue;
    }
    // An apostrophe or hyphen between letters belongs to the word: don't, e-mail.
    if (
      start >= 0 &&
      (code === 39 || code === 0x2019 || code === 45) &&
      i + 1 < end &&
      isWordCharacter(text.charCodeAt(i + 1))
    )
      continue;
    // Dotted initials are one word: a.s.a.p.
    if (code === 46 && start >= 0 && i - start <= 9 && isInitial(text, i) && isInitial(text, i + 2)) continue;
    if (start >= 0) {
      const word = text.slice(start, i).toLowerCase().replace("’", "'").replaceAll(".", "");
      if (digits > 0) {
        hasDigits = true;
        if (words.texts[words.count - 1] !== "level") hasNumbers = true;
      }
      if (lineStart && digits > 0 && letters === 0 && (code === 46 || code === 41)) zone.listItems++;
      if (letters > 0 || digits > 0) zone.words++;
      zone.letters += letters;
      zone.capitals += upper;
      if (letters >= 2 && upper === letters) {
        if (++capitalsRun > zone.capitalsRun) zone.capitalsRun = capitalsRun;
      } else if (letters > 0 && !(letters === 1 && upper === 1)) capitalsRun = 0;
      words.texts.push(word);
      words.ids.push(lookUp(word));
      words.starts.push(start);
      words.flags.push((negation > 0 ? NEGATED : 0) | (quoted ? QUOTED : 0) | (inTitle ? IN_TITLE : 0));
      words.sentences.push(sentence);
      words.count++;
      sentenceWords++;
      negation = NEGATORS.has(word) ? NEGATION_REACH : negation - 1;
      start = -1;
      upper = 0;
      letters = 0;
      digits = 0;
      lineStart = false;
      markRun = 0;
    }
    if (code === 32) continue;
    if (code === 63 || code === 33) {
      if (code === 63) zone.questionMarks++;
      if (++markRun > zone.markRun) zone.markRun = markRun;
    }
    if (code === 63 || code === 33 || code === 46 || code === 10) {
      if (sentenceWords > 0) {
        zone.sentences++;
        if (sentence < 31) sentence++;
        sentenceWords = 0;
      }
      negation = 0;
      if (code === 10) {
        lineStart = true;
        quoted = false;
        capitalsRun = 0;
      }
    } else if (code === 44 || code === 59 || code === 58) negation = 0;
    else if (code === 34 || code === 0x201c || code === 0x201d || code === 0x201e || code === 0xab || code === 0xbb)
      quoted = !quoted;
    else if (code === 64) hasAt = true;
    else if (lineStart && (code === 45 || code === 42 || code === 0x2022 || code === 0x2013)) zone.listItems++;
    if (code >= 0x2600 && (code <= 0x27bf || (code >= 0xd83c && code <= 0xd83e) || code === 0x2b50)) zone.emoji++;
    if (i === bodyStart - 1) {
      if (sentenceWords > 0) zone.sentences++;
      sentenceWords = 0;
      zone = bodyZone;
      inTitle = false;
      lineStart = true;
    }
  }
  if (sentenceWords > 0) zone.sentences++;
  titleZone.characters = Math.max(0, bodyStart - 1);
  bodyZone.characters = end - bodyStart;
  return { words, titleZone, bodyZone, hasDigits, hasNumbers, hasAt };
}

/** A single letter right before `at`. */
function isInitial(text: string, at: number): boolean {
  return (
    at <= text.length &&
    isWordCharacter(text.charCodeAt(at - 1)) &&
    !isWordCharacter(text.charCodeAt(at - 2)) &&
    text.charCodeAt(at - 1) > 57
  );
}

function isWordCharacter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return (
    (code >= 0xc0 && code <= 0x1fff && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x2c00 && code <= 0x2dff) ||
    (code >= 0x3040 && code <= 0xd7ff)
  );
}
