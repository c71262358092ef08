/**
 * A 32-bit seed from text, the same on every platform: so that a stream can be named ("bootstrap", a decision id)
 * instead of numbered.
 *
 * Formula: FNV-1a over UTF-16 code units: h := 2166136261; for each unit, h := (h xor unit) · 16777619 mod 2^32.
 * Range: integers 0 … 2^32 − 1. Not for secrets. Two of 100,000 texts collide with probability about 0.7: `createRng`
 * therefore takes the text itself.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see Fowler, Noll and Vo, draft-eastlake-fnv (for ASCII text the values are the published ones)
 * @example
 * hashSeed("a") // => 3826002220
 */
export function hashSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
