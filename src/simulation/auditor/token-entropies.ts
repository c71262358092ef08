/** Candidates per token. */
export const CANDIDATES = 20;
/** Share of the probability not on the most likely candidate that lies outside the list. */
const TAIL_SHARE = 0.02;

/** A distribution over the candidates of one token, best first. */
export interface TokenLaw {
  logprobs: Float64Array;
  /** Entropy of the listed candidates, renormalised, in bits. */
  bits: number;
  /** Probability outside the list. */
  tail: number;
}

const LEAST_BITS = 1e-4;
const MOST_BITS = 4.3;
const LAWS = 1024;
const STEP = Math.log(MOST_BITS / LEAST_BITS) / (LAWS - 1);

let laws: TokenLaw[] | null = null;

/**
 * Index of the distribution over 20 candidates whose entropy is nearest to the given one: what a citation's token shows.
 *
 * Formula: p_j ∝ j^(−b), j = 1 … 20, b solved for each of 1,024 entropies from 0.0001 to 4.3 bits, evenly spaced in their logarithm (1.05% apart);
 * 2% of 1 − p_1 lies outside the list.
 * Range: entropies from 0.0001 to 4.3 bits; a value outside gets the nearest.
 * Undefined when: the entropy is not a positive number: the smallest is used.
 * Differs from the paper: not in the paper.
 * @see paper §4.2 (top-20 candidates)
 * @example allLaws()[lawIndex(1)].logprobs.length // => 20
 */
export function lawIndex(bits: number): number {
  const at = Math.round(Math.log(bits / LEAST_BITS) / STEP);
  return at >= LAWS ? LAWS - 1 : at > 0 ? at : 0;
}

export function allLaws(): readonly TokenLaw[] {
  laws ??= Array.from({ length: LAWS }, (_, i) => lawOf(LEAST_BITS * Math.exp(STEP * i)));
  return laws;
}

function lawOf(bits: number): TokenLaw {
  let low = 0;
  let high = 32;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (entropyOf(middle) > bits) low = middle;
    else high = middle;
  }
  return tokenLawOf((low + high) / 2);
}

function tokenLawOf(exponent: number): TokenLaw {
  let total = 0;
  for (let j = 1; j <= CANDIDATES; j++) total += j ** -exponent;
  const tail = TAIL_SHARE * (1 - 1 / total);
  const scale = Math.log((1 - tail) / total);
  const logprobs = Float64Array.from({ length: CANDIDATES }, (_, i) => scale - exponent * Math.log(i + 1));
  return { logprobs, bits: entropyOf(exponent), tail };
}

function entropyOf(exponent: number): number {
  let total = 0;
  let weighted = 0;
  for (let j = 1; j <= CANDIDATES; j++) {
    const q = j ** -exponent;
    total += q;
    weighted -= q * exponent * Math.log(j);
  }
  return (Math.log(total) - weighted / total) / Math.LN2;
}

const shares: Float64Array[] = [];

/**
 * Each token's share of a citation's entropy, relative to the mean: which rule will be cited is settled early.
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

/** The means over the token laws of a citation of n tokens with the given mean entropy. */
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
