import { allLaws, lawIndex } from "./token-entropies.js";

const shares: Float64Array[] = [];

/**
 * How much of a citation's entropy its tokens have, relative to the mean: which rule it is going to be is settled early.
 *
 * Formula: g_i = n (1/i)/(1 + 1/2 + … + 1/n), i = 1 … n.
 * Range: positive, mean 1.
 * Undefined when: n < 1: empty.
 * Differs from the paper: the paper prints only the mean over tokens.
 * @see paper §4.2
 * @example citationProfile(1)[0] // => 1
 */
export function citationProfile(tokens: number): Float64Array {
  let known = shares[tokens];
  if (!known) {
    let harmonic = 0;
    for (let i = 1; i <= tokens; i++) harmonic += 1 / i;
    known = Float64Array.from({ length: tokens }, (_, i) => tokens / (i + 1) / harmonic);
    shares[tokens] = known;
  }
  return known;
}

/** What a citation of n tokens shows where a mean entropy is wanted: the means over its tokens' laws. */
export function citationSignals(bits: number, tokens: number): { bits: number; tail: number } {
  const profile = citationProfile(tokens);
  const laws = allLaws();
  let sumBits = 0;
  let sumTail = 0;
  for (let i = 0; i < tokens; i++) {
    const law = laws[lawIndex(bits * profile[i]!)]!;
    sumBits += law.bits;
    sumTail += law.tail;
  }
  return { bits: sumBits / tokens, tail: sumTail / tokens };
}
