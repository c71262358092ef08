/**
 * What single words give away, found once for each word and kept as bits beside its number. The bits of all words of a text tell which of the
 * slower searches can find anything in it.
 */
const tests: ((word: string) => boolean)[] = [];

/** A new trait: the bit that words passing the test will have. To be called while modules load, before any text is read. */
export function trait(test: (word: string) => boolean): number {
  if (tests.length >= 31) throw new RangeError("traits: no bit is left; got 32, expected at most 31");
  tests.push(test);
  return 1 << (tests.length - 1);
}

/** Every trait, for texts whose words do not tell. */
export const ANY_TRAIT = -1;

/** The traits of a lower-case word. */
export function traitsOf(word: string): number {
  let bits = 0;
  for (let i = 0; i < tests.length; i++) if (tests[i]!(word)) bits |= 1 << i;
  return bits;
}

/** Something said in a text, of which at least one word is telling. */
export interface Saying {
  /** What was found, or null. */
  find(text: TraitsAndText): string | null;
  isIn(text: TraitsAndText): boolean;
}

interface TraitsAndText {
  text: string;
  words: { traits: number };
}

/**
 * A pattern that is searched for only where a telling word stands. `telling` must match, as a word by itself and without case, some word of
 * everything that `pattern` matches.
 */
export function saying(telling: RegExp, pattern: RegExp): Saying {
  const bit = trait((word) => telling.test(word));
  return {
    find: ({ text, words }) => ((words.traits & bit) === 0 ? null : (pattern.exec(text)?.[0] ?? null)),
    isIn: ({ text, words }) => (words.traits & bit) !== 0 && pattern.test(text),
  };
}
