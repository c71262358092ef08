import { foldCharacter } from "./injection-characters.js";
import { CUE } from "./injection-cues.js";
import { quickEntries, SHORTEST_STEM } from "./injection-lexicon.js";
import { ENOUGH } from "./injection-read.js";

/**
 * A table of the hashes of all cues, so that a text is looked through without making a string of any word. What two words share by chance costs
 * a careful look and nothing else.
 */
const SLOTS = 1 << 13;
const hashes = new Int32Array(SLOTS);
const cues = new Int32Array(SLOTS);

const EMPTY = 0x2f0b4f27;

function hashLetter(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x01000193);
}

function slotOf(hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  while (cues[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

for (const { word, isStem, cues: found } of quickEntries()) {
  let hash = EMPTY;
  const length = isStem ? SHORTEST_STEM : word.length;
  for (let k = 0; k < length; k++) hash = hashLetter(hash, word.charCodeAt(k));
  const slot = slotOf(hash);
  hashes[slot] = hash;
  cues[slot]! |= found;
}

/** Whether a careful look at these texts is worth its time: they hold cues that could add up, or a form, or something disguised. */
export function mayHoldInjection(texts: readonly string[]): boolean {
  let found = 0;
  for (const text of texts) {
    const result = quickCues(text);
    if (result === ODD) return true;
    found |= result;
  }
  return couldAddUp(found);
}

/** Says that the text itself calls for a careful look. */
const ODD = -1;

/** The cues of all words of a text, or {@link ODD}. */
function quickCues(text: string): number {
  let found = 0;
  let hash = EMPTY;
  let stem = 0;
  let length = 0;
  let scripts = 0;
  let singles = 0;
  let gap = 0;
  const end = text.length;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    let letter = 0;
    if (code >= 97 && code <= 122) {
      letter = code;
      scripts |= (scripts & DIGIT_AFTER) !== 0 ? LATIN | LEET : LATIN;
    } else if (code >= 65 && code <= 90) {
      letter = code | 32;
      scripts |= (scripts & DIGIT_AFTER) !== 0 ? LATIN | LEET : LATIN;
    } else if (code >= 48 && code <= 57) {
      letter = code;
      scripts |= (scripts & LATIN) !== 0 ? DIGIT_AFTER : DIGIT;
    } else if (code === 39 && length > 0) {
      letter = code;
    } else if (code >= 128) {
      const script = scriptOf(text, i, code);
      if (script === ODD) return ODD;
      if (script !== 0) {
        // Of accented letters only the base counts; a letter that becomes two ends in a word that is no cue.
        letter = script === LATIN ? foldCharacter(code).charCodeAt(0) : foldCharacter(code).charCodeAt(0) || code;
        scripts |= script;
      }
    } else if (isSuspicious(text, i, code)) return ODD;
    if (letter !== 0) {
      hash = hashLetter(hash, letter);
      if (++length === SHORTEST_STEM) stem = hash;
      continue;
    }
    if (length === 0) {
      gap++;
      continue;
    }
    // Letters of two scripts, digits between letters, one letter after the other, words that are none: see `injection-fold.ts`.
    if (scripts === (LATIN | FOREIGN) || (scripts & LEET) !== 0) return ODD;
    if (length > LONGEST_WORD) return ODD;
    singles = length === 1 && gap === 1 ? singles + 1 : length === 1 ? 1 : 0;
    if (singles >= 4) return ODD;
    found |= cuesOfHash(hash);
    if (length > SHORTEST_STEM) found |= cuesOfHash(stem);
    hash = EMPTY;
    length = 0;
    scripts = 0;
    gap = 1;
  }
  return found & 0x7fffffff;
}

const LATIN = 1;
const FOREIGN = 2;
const DIGIT = 4;
/** A digit after a letter; and a letter after that, as in "l3vel". */
const DIGIT_AFTER = 8;
const LEET = 16;
const LONGEST_WORD = 22;

function cuesOfHash(hash: number): number {
  const slot = slotOf(hash);
  return cues[slot]!;
}

/** The script of a letter beyond ASCII, 0 for a sign, {@link ODD} for what only a careful look can read. */
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

/** Whether words with these cues could be an attempt: the most points that `injection-score.ts` could give them, all in one sentence. */
function couldAddUp(found: number): boolean {
  const has = (cue: number) => (found & cue) !== 0;
  const if_ = (condition: boolean, points: number) => (condition ? points : 0);
  const says = has(CUE.say);
  const listener = has(CUE.auditor | CUE.machine);
  const level = has(CUE.level) && has(CUE.one);
  const wanted = has(CUE.orders | CUE.rules);
  const reach = if_(has(CUE.prior), 1) + if_(has(CUE.all), 1);
  const isSkipped = has(CUE.skip) || (has(CUE.follow) && has(CUE.not));
  const isGranted = has(CUE.approve | CUE.complies | CUE.skip) || (has(CUE.follow | CUE.approve) && has(CUE.not));
  const points =
    if_(wanted && has(CUE.override), 2 + reach) +
    if_(wanted && !has(CUE.override) && isSkipped, 1 + reach) +
    if_(!wanted && has(CUE.override) && reach === 2, 2) +
    if_(level, 1 + if_(says, 2) + if_(has(CUE.must), 1) + if_(has(CUE.decision), 1)) +
    if_(has(CUE.result), 1 + if_(says, 1) + if_(has(CUE.decision), 1)) +
    if_(says && has(CUE.decision), 1) +
    if_(says && has(CUE.complies), 2) +
    if_(has(CUE.inverse) && has(CUE.yesNo), 2) +
    if_(has(CUE.field), 4) +
    if_(says && has(CUE.approve) && has(CUE.post), 1) +
    if_(has(CUE.auditor), 1) +
    if_(has(CUE.machine), 1) +
    if_(listener, 1 + if_(has(CUE.must), 1)) +
    if_(has(CUE.you) && has(CUE.be) && (listener || has(CUE.moderator)), 3) +
    if_(has(CUE.role), 2) +
    if_(has(CUE.authority), 1) +
    if_(has(CUE.threat) && (has(CUE.you) || listener), 2) +
    if_(has(CUE.you) && has(CUE.all) && has(CUE.format), 1 + if_(says || has(CUE.only), 1)) +
    if_(has(CUE.you) && has(CUE.not) && has(CUE.follow), 1) +
    if_((wanted || has(CUE.decision)) && isGranted && has(CUE.all | CUE.only | CUE.not), 4);
  return points >= ENOUGH;
}
