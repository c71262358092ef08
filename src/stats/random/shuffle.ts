import type { Rng } from "./create-rng.js";

/**
 * k different integers from 0 … n−1, every ordered choice equally likely: random subsets of rows.
 *
 * Formula: the first k steps of a Fisher–Yates shuffle of 0 … n−1; only displaced positions are stored, so memory is
 * O(k) and a small sample of a huge table is cheap.
 * Range: integers 0 … n−1 in random order; k = n is a permutation.
 * Undefined when: k outside 0..n, or n not a count: RangeError.
 * Differs from the paper: not in the paper.
 * @see Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm P
 * @example
 * sampleWithoutReplacement(5, 2, { int: () => 0 }) // => [ 0, 1 ]
 */
export function sampleWithoutReplacement(n: number, k: number, rng: Pick<Rng, "int">): number[] {
  if (!(Number.isSafeInteger(n) && Number.isSafeInteger(k) && k >= 0 && k <= n)) {
    throw new RangeError(`sample: not possible; got k = ${k} of n = ${n}, expected integers with 0 ≤ k ≤ n`);
  }
  const displaced = new Map<number, number>();
  const sample: number[] = [];
  for (let i = 0; i < k; i += 1) {
    const j = i + rng.int(n - i);
    sample.push(displaced.get(j) ?? j);
    displaced.set(j, displaced.get(i) ?? i);
  }
  return sample;
}

/**
 * The same items in random order, every order equally likely. Returns a new array.
 *
 * Formula: Fisher–Yates from the end: for i = n−1 … 1 swap item i with item j, j uniform in 0 … i.
 * Range: a permutation of the items.
 * Undefined when: never; nothing shuffled is nothing.
 * Differs from the paper: not in the paper.
 * @see Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm P
 * @example
 * shuffle(["a", "b", "c"], { int: () => 0 }) // => [ "b", "c", "a" ]
 */
export function shuffle<T>(array: readonly T[], rng: Pick<Rng, "int">): T[] {
  const copy = [...array];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = rng.int(i + 1);
    const held = copy[i]!;
    copy[i] = copy[j]!;
    copy[j] = held;
  }
  return copy;
}
