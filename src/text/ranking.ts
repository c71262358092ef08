import { isAscii } from "./printable.js";
import { foldText, tokenise, UNSPACED } from "./words.js";

/** Most characters of a text that are compared. */
export const COMPARED_LENGTH = 8000;
/** N-grams are identified by 16 bits of a hash, so that a sum over texts is one flat list, however many n-grams there are. */
export const BUCKETS = 1 << 16;
/** Each character shifts the earlier ones by this many bits. */
const SHIFT = 8;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;

/** The distinct buckets of a text's n-grams, and the count of each bucket. Reused: valid until the next text is counted. */
interface Grams {
  count: number;
  buckets: Uint16Array;
  times: Uint16Array;
}

const grams: Grams = { count: 0, buckets: new Uint16Array(COMPARED_LENGTH + 2), times: new Uint16Array(BUCKETS) };

/** Counts the 2-, 3- or 4-grams of a lower-case text padded with spaces, with every digit as 0 and every run of spaces as one space. */
export function countGrams(text: string, size: 2 | 3 | 4 = 4): Grams {
  const { buckets, times } = grams;
  for (let i = 0; i < grams.count; i++) times[buckets[i]!] = 0;
  grams.count = 0;
  const lower = text.slice(0, COMPARED_LENGTH).toLowerCase();
  let length = 1;
  let last = SPACE;
  let latest = SPACE;
  // Drops characters that have been shifted out of the n-gram; for four, the 32-bit integer drops them.
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

/** Most characters of the content that are compared: enough to tell what it is about. */
const COMPARED_CHARACTERS = 20_000;

/** Returns the texts' indexes, ordered by how much they share with the given text. */
export type Ranking = (text: string) => number[];

/** The distinct terms of a text by number, and how often each occurs. */
interface Terms {
  numbers: number[];
  times: number[];
}

/** Orders texts by the words they share with another one. A short text often shares no word with the most similar text. */
export function rankByWords(texts: readonly string[]): Ranking {
  const vocabulary = new Map<string, number>();
  for (const text of texts)
    for (const word of tokenise(text)) if (!vocabulary.has(word)) vocabulary.set(word, vocabulary.size);
  return createRanking(texts, (text) => wordsOf(text, vocabulary));
}

/**
 * Orders texts by the character 3-grams and 4-grams they share with another one, and by character pairs in scripts without
 * spaces: "Ferns?" is similar to "my fern", although they share no word.
 */
export function rankByGrams(texts: readonly string[]): Ranking {
  return createRanking(texts, gramsOf);
}

/**
 * Cosine of the texts' terms, each weighted by its rarity: (1 + ln count) times ln(1 + N / texts with it). Ties, and texts
 * without a common term, keep their order.
 */
function createRanking(texts: readonly string[], termsOf: (text: string) => Terms): Ranking {
  // By term: the texts that have it, each followed by its weight there.
  const holders: (number[] | undefined)[] = [];
  texts.forEach((text, place) => {
    const { numbers, times } = termsOf(text);
    for (let i = 0; i < numbers.length; i++) {
      const list = holders[numbers[i]!];
      if (list === undefined) holders[numbers[i]!] = [place, weightOf(times[i]!)];
      else list.push(place, weightOf(times[i]!));
    }
  });
  const rarities = holders.map((list) => Math.log(1 + (2 * texts.length) / list!.length));
  // Counted a second time: storing the terms of all texts would need more memory than everything else.
  const lengths = texts.map((text) => {
    const { numbers, times } = termsOf(text);
    let square = 0;
    for (let i = 0; i < numbers.length; i++) square += (weightOf(times[i]!) * rarities[numbers[i]!]!) ** 2;
    return Math.sqrt(square) || 1;
  });
  return (text) => {
    const scores = new Float64Array(texts.length);
    const { numbers, times } = termsOf(text.slice(0, COMPARED_CHARACTERS));
    for (let i = 0; i < numbers.length; i++) {
      const list = holders[numbers[i]!];
      if (list === undefined) continue;
      const weight = weightOf(times[i]!) * rarities[numbers[i]!]! ** 2;
      for (let k = 0; k < list.length; k += 2) scores[list[k]!]! += weight * list[k + 1]!;
    }
    // Rounded, so that the last digit of a logarithm does not decide the order.
    const rounded = scores.map((score, place) => Math.round((score / lengths[place]!) * 1e9));
    return texts.map((_, place) => place).sort((a, b) => rounded[b]! - rounded[a]! || a - b);
  };
}

function weightOf(times: number): number {
  return times === 1 ? 1 : 1 + Math.log(times);
}

/** Words outside the vocabulary are in none of the texts. */
function wordsOf(text: string, vocabulary: ReadonlyMap<string, number>): Terms {
  const counts = new Map<number, number>();
  for (const word of tokenise(text)) {
    const number = vocabulary.get(word);
    if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return { numbers: [...counts.keys()], times: [...counts.values()] };
}

function gramsOf(text: string): Terms {
  const terms: Terms = { numbers: [], times: [] };
  const { text: folded } = foldText(text);
  pushGrams(terms, folded, 4, 0);
  pushGrams(terms, folded, 3, BUCKETS);
  // A word in a script without spaces often has two characters.
  const unspaced = isAscii(folded) ? null : folded.match(UNSPACED);
  if (unspaced) pushGrams(terms, unspaced.join(" "), 2, 2 * BUCKETS);
  return terms;
}

function pushGrams({ numbers, times }: Terms, text: string, size: 2 | 3 | 4, first: number): void {
  const grams = countGrams(text, size);
  for (let i = 0; i < grams.count; i++) {
    const bucket = grams.buckets[i]!;
    numbers.push(first + bucket);
    times.push(grams.times[bucket]!);
  }
}
