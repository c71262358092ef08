import type { TrueVerdict } from "../../core/records/truth.js";
import { atTemperature } from "../../core/results/simulated-auditor.js";
import type { CompiledAuditor } from "./compile-auditor.js";
import { levelDistribution } from "./draw-audit.js";
import { strayShare } from "./read-case.js";

/** Candidates of a token. */
export const CANDIDATES = 20;
/** Share of what is not on the likeliest candidate that lies outside the list. */
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
 * The distribution over 20 candidates whose entropy is nearest to a wanted one: what a citation's token shows.
 *
 * Formula: p_j ∝ j^(−b), j = 1 … 20, b solved for each of 1,024 entropies from 0.0001 to 4.3 bits, evenly spaced in their logarithm (1.05 % apart);
 * 2 % of 1 − p_1 lies outside the list.
 * Range: entropies from 0.0001 to 4.3 bits; what lies beyond gets the nearest.
 * Undefined when: the entropy is not a positive number: the least is taken.
 * Differs from the paper: not in the paper.
 * @see paper §4.2 (top-20 candidates)
 * @example tokenLaw(1).logprobs.length // => 20
 */
export function tokenLaw(bits: number): TokenLaw {
  return allLaws()[lawIndex(bits)]!;
}

/** Index of that law: the same for the same entropy. */
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

/** What a simulated auditor writes of cases of one kind, in the long run. */
export interface WrittenShares {
  /** Share of each level. */
  levels: readonly [number, number, number];
  /** Share of Yes. */
  inverse: number;
  /** Mean of σ(ρ). */
  yesProb: number;
}

/** Midpoints of the unit interval for how sure a trace is. */
const SURE = [0.0625, 0.1875, 0.3125, 0.4375, 0.5625, 0.6875, 0.8125, 0.9375];

/**
 * What an auditor writes of cases with one true verdict, in expectation: a row of its confusion matrix, straying and sampling included. It is the
 * expectation of `drawAudit` over `readCase`, for a decider of another family, the whole text and precedents.
 *
 * Formula: Σ over the level read, the level leaned to, contest and confidence of their probabilities times p^(1/T) renormalised.
 * Range: shares; the levels sum to 1. Faults are left out: they fall on all cases alike.
 * Undefined when: the answer to the inverse check is drawn from σ(ρ) (`inverse.emission: signal`): RangeError.
 * Differs from the paper: not in the paper.
 * @see docs/simulation.md
 */
export function writtenShares(
  verdict: TrueVerdict,
  contests: readonly number[],
  auditor: CompiledAuditor,
  temperature: number,
): WrittenShares {
  const { settings } = auditor;
  if (settings.inverse.emission !== "reading") throw new RangeError("inverse.emission: expected reading");
  const rates = auditor.at(temperature);
  const levels: [number, number, number] = [0, 0, 0];
  let [inverse, yesProb] = [0, 0];
  const own = verdict.level - 1;

  function add(weight: number, read: number, other: number, stray: number): void {
    const leans: [number, number, number] = [0, 0, 0];
    leans[read] = 1 - stray;
    leans[other] = stray;
    const asRead = verdict.inverse ? 1 - rates.missed[read]! : rates.invented[read]!;
    for (const lean of [read, other]) {
      const share = weight * leans[lean]!;
      const held = lean === read ? asRead : rates.leanInverse[lean]!;
      const mean = (answer: "yes" | "no") => atTemperature(settings.inverse[answer][lean]!, temperature);
      inverse += share * held;
      yesProb += share * (held * mean("yes") + (1 - held) * mean("no"));
      for (const place of SURE) {
        const probs = tempered(levelDistribution(lean, place, { leans }, auditor), temperature);
        for (let level = 0; level < 3; level++) levels[level]! += (share * probs[level]!) / SURE.length;
      }
    }
  }

  for (let read = 0; read < 3; read++) {
    const misread = settings.noise * settings.confusion[own]![read]! + (read === own ? 1 - settings.noise : 0);
    for (let other = 0; other < 3; other++) {
      const weight = (misread * settings.lean.elsewhere[read]![other]!) / contests.length;
      if (weight === 0) continue;
      for (const contest of contests) add(weight, read, other, strayShare(own, contest, rates, auditor));
    }
  }
  return { levels, inverse, yesProb };
}

function tempered(probs: readonly number[], temperature: number): number[] {
  const most = Math.max(...probs);
  const powers = probs.map((p) => (p / most) ** (1 / temperature));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
