import { quickEntries, SHORTEST_STEM } from "./lexicon.js";

/**
 * The hashes of all cues, so that a text is looked through without making a string of any word. What two words share by chance costs a careful
 * look and nothing else.
 */
const SLOTS = 1 << 13;
const hashes = new Int32Array(SLOTS);
const cues = new Int32Array(SLOTS);

/** The hash of no letter at all. */
export const NO_LETTERS = 0x2f0b4f27;

export function hashLetter(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x01000193);
}

/** The cues of the word, or beginning of a word, with this hash. */
export function cuesOfHash(hash: number): number {
  return cues[slotOf(hash)]!;
}

function slotOf(hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  while (cues[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/** The hash of two words in a row. */
export function hashPair(first: number, second: number): number {
  return Math.imul(first, 0x5bd1e995) ^ second;
}

function hashOf(word: string): number {
  let hash = NO_LETTERS;
  for (let k = 0; k < word.length; k++) hash = hashLetter(hash, word.charCodeAt(k));
  return hash;
}

for (const { word, second, isStem, cues: found } of quickEntries()) {
  const first = hashOf(isStem ? word.slice(0, SHORTEST_STEM) : word);
  const hash = second === null ? first : hashPair(first, hashOf(second));
  const slot = slotOf(hash);
  hashes[slot] = hash;
  cues[slot]! |= found;
}
