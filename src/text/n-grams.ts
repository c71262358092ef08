/** Characters of a text that are compared. */
export const COMPARED_LENGTH = 8000;
/** N-grams are told apart by 16 bits of a hash: a sum over texts is then one flat list, however many n-grams they have. */
export const BUCKETS = 1 << 16;
/** Each character moves those before it up by so many bits. */
const SHIFT = 8;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;

/** The buckets of a text's n-grams, each once, and by bucket how often it occurs. Reused: good until the next text is counted. */
export interface Grams {
  count: number;
  buckets: Uint16Array;
  times: Uint16Array;
}

const grams: Grams = { count: 0, buckets: new Uint16Array(COMPARED_LENGTH + 2), times: new Uint16Array(BUCKETS) };

/**
 * Counts the n-grams of 2, 3 or 4 characters of a text in lower case between two spaces, in which every digit is a 0 and every run of spaces one
 * space.
 */
export function countGrams(text: string, size: 2 | 3 | 4 = 4): Grams {
  const { buckets, times } = grams;
  for (let i = 0; i < grams.count; i++) times[buckets[i]!] = 0;
  grams.count = 0;
  const lower = text.slice(0, COMPARED_LENGTH).toLowerCase();
  let length = 1;
  let last = SPACE;
  let latest = SPACE;
  // A character that has moved up too far is no longer in the n-gram; of four, 32 bits drop it.
  const mask = size === 4 ? -1 : (1 << (SHIFT * size)) - 1;
  for (let i = 0; i <= lower.length && length < COMPARED_LENGTH + 2; i++) {
    const code = i < lower.length ? lower.charCodeAt(i) : SPACE;
    if (code <= SPACE && last === SPACE) continue;
    last = code <= SPACE ? SPACE : code >= ZERO && code <= NINE ? ZERO : code;
    latest = ((latest << SHIFT) ^ last) & mask;
    if (++length < size) continue;
    const bucket = Math.imul(latest ^ (latest >>> 15), 0x9e3779b1) >>> 16;
    if (times[bucket]!++ === 0) buckets[grams.count++] = bucket;
  }
  return grams;
}
