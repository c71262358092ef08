/** Characters of a text that are compared. */
export const COMPARED_LENGTH = 8000;
/** N-grams are told apart by 16 bits of a hash: a sum over texts is then one flat list, however many n-grams they have. */
export const BUCKETS = 1 << 16;
const LENGTH = 4;
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

/** Counts the n-grams of 4 characters of a text in lower case between two spaces, in which every digit is a 0 and every run of spaces one space. */
export function countGrams(text: string): Grams {
  const { buckets, times } = grams;
  for (let i = 0; i < grams.count; i++) times[buckets[i]!] = 0;
  grams.count = 0;
  const lower = text.slice(0, COMPARED_LENGTH).toLowerCase();
  let length = 1;
  let last = SPACE;
  let lastFour = SPACE;
  for (let i = 0; i <= lower.length && length < COMPARED_LENGTH + 2; i++) {
    const code = i < lower.length ? lower.charCodeAt(i) : SPACE;
    if (code <= SPACE && last === SPACE) continue;
    last = code <= SPACE ? SPACE : code >= ZERO && code <= NINE ? ZERO : code;
    // Every character moves those before it up by 8 bits: the fourth before it has left.
    lastFour = (lastFour << 8) ^ last;
    if (++length < LENGTH) continue;
    const bucket = Math.imul(lastFour ^ (lastFour >>> 15), 0x9e3779b1) >>> 16;
    if (times[bucket]!++ === 0) buckets[grams.count++] = bucket;
  }
  return grams;
}
