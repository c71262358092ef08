/** Distinct character n-grams of a text, as hashes, with how often each occurs. Reused: good until the next text is counted. */
export interface Grams {
  count: number;
  keys: Int32Array;
  times: Int32Array;
}

const SHORTEST = 3;
const LONGEST = 5;
/** Characters of a text that are compared. */
export const COMPARED_LENGTH = 8000;
const SLOTS = 1 << 16;
export const MOST_GRAMS = (LONGEST - SHORTEST + 1) * (COMPARED_LENGTH + 2);

const codes = new Uint16Array(COMPARED_LENGTH + 2);
const slotOwner = new Int32Array(SLOTS).fill(-1);
/** By n-gram of the text: its slot. */
const slots = new Int32Array(MOST_GRAMS);
const grams: Grams = { count: 0, keys: new Int32Array(MOST_GRAMS), times: new Int32Array(MOST_GRAMS) };

/**
 * Counts the n-grams of 3 to 5 characters of a text in lower case, in which every digit is a 0 and every run of spaces one space. Two n-grams with the
 * same 32-bit hash count as one.
 */
export function countGrams(text: string): Grams {
  for (let i = 0; i < grams.count; i++) slotOwner[slots[i]!] = -1;
  grams.count = 0;
  const length = foldInto(text);
  for (let start = 0; start + SHORTEST <= length; start++) {
    let hash = 0x2f0b4f27;
    const end = Math.min(length, start + LONGEST);
    for (let i = start; i < end; i++) {
      hash = Math.imul(hash ^ codes[i]!, 0x01000193);
      hash ^= hash >>> 15;
      if (i - start >= SHORTEST - 1) add(Math.imul(hash, 0x2c1b3c6d) | 0);
    }
  }
  return grams;
}

function add(key: number): void {
  const slot = slotOf(key);
  const owner = slotOwner[slot]!;
  if (owner >= 0) {
    grams.times[owner]!++;
    return;
  }
  slotOwner[slot] = grams.count;
  slots[grams.count] = slot;
  grams.keys[grams.count] = key;
  grams.times[grams.count++] = 1;
}

/** The slot that holds a key, or the free one where it belongs. */
function slotOf(key: number): number {
  let slot = (key ^ (key >>> 16)) & (SLOTS - 1);
  for (let owner = slotOwner[slot]!; owner >= 0 && grams.keys[owner] !== key; owner = slotOwner[slot]!) {
    slot = (slot + 1) & (SLOTS - 1);
  }
  return slot;
}

/** Writes the folded text between two spaces into `codes` and returns its length. */
function foldInto(text: string): number {
  const lower = (text.length > COMPARED_LENGTH ? text.slice(0, COMPARED_LENGTH) : text).toLowerCase();
  let length = 0;
  let wasSpace = true;
  codes[length++] = 32;
  for (let i = 0; i < lower.length && length <= COMPARED_LENGTH; i++) {
    const code = lower.charCodeAt(i);
    const isSpace = code <= 32;
    if (isSpace && wasSpace) continue;
    codes[length++] = isSpace ? 32 : code >= 48 && code <= 57 ? 48 : code;
    wasSpace = isSpace;
  }
  if (!wasSpace) codes[length++] = 32;
  return length;
}

/** Numbers for n-grams: 0, 1, 2, … in the order in which they are entered. */
export class GramTable {
  size = 0;
  private keys = new Int32Array(1 << 10);
  private numbers = new Int32Array(1 << 10).fill(-1);

  /** The number of a gram, or -1. */
  find(key: number): number {
    const { keys, numbers } = this;
    const mask = numbers.length - 1;
    let slot = (key ^ (key >>> 16)) & mask;
    for (let number = numbers[slot]!; number >= 0; number = numbers[slot]!) {
      if (keys[slot] === key) return number;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** The number of a gram, entered if it is new. */
  enter(key: number): number {
    const known = this.find(key);
    if (known >= 0) return known;
    if (2 * this.size >= this.numbers.length) this.widen();
    this.put(key, this.size);
    return this.size++;
  }

  private put(key: number, number: number): void {
    const mask = this.numbers.length - 1;
    let slot = (key ^ (key >>> 16)) & mask;
    while (this.numbers[slot]! >= 0) slot = (slot + 1) & mask;
    this.keys[slot] = key;
    this.numbers[slot] = number;
  }

  private widen(): void {
    const { keys, numbers } = this;
    this.keys = new Int32Array(2 * keys.length);
    this.numbers = new Int32Array(2 * numbers.length).fill(-1);
    for (let slot = 0; slot < numbers.length; slot++) if (numbers[slot]! >= 0) this.put(keys[slot]!, numbers[slot]!);
  }
}
