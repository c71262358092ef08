import type { Rng } from "./create-rng.js";

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
