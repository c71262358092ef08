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
/** Slots less one that the text at hand uses: a short text stays in the processor's nearest memory. */
let mask = 0;
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
  mask = Math.min(SLOTS, 2 ** Math.ceil(Math.log2(6 * length))) - 1;
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
  let slot = (key ^ (key >>> 16)) & mask;
  for (let owner = slotOwner[slot]!; owner >= 0 && grams.keys[owner] !== key; owner = slotOwner[slot]!) {
    slot = (slot + 1) & mask;
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
  /** Key and number + 1 side by side, so that a look takes one line of memory; 0: free. */
  private cells = new Int32Array(1 << 11);

  /** The number of a gram, or -1. */
  find(key: number): number {
    return this.cells[this.cellOf(key) + 1]! - 1;
  }

  /** The number of a gram, entered if it is new. */
  enter(key: number): number {
    const known = this.find(key);
    if (known >= 0) return known;
    if (4 * this.size >= this.cells.length) this.widen();
    this.put(key, ++this.size);
    return this.size - 1;
  }

  /** Where a gram is, or belongs. */
  private cellOf(key: number): number {
    const { cells } = this;
    const last = cells.length - 1;
    // Keys may be numbers in a row, which unmixed would stand in long runs.
    const mixed = Math.imul(key, 0x9e3779b1);
    let cell = ((mixed ^ (mixed >>> 15)) << 1) & last;
    while (cells[cell + 1] !== 0 && cells[cell] !== key) cell = (cell + 2) & last;
    return cell;
  }

  private put(key: number, entry: number): void {
    const cell = this.cellOf(key);
    this.cells[cell] = key;
    this.cells[cell + 1] = entry;
  }

  private widen(): void {
    const { cells } = this;
    this.cells = new Int32Array(2 * cells.length);
    for (let cell = 0; cell < cells.length; cell += 2)
      if (cells[cell + 1] !== 0) this.put(cells[cell]!, cells[cell + 1]!);
  }
}
