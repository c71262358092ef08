import type { Alternative, Generation, Token } from "../../core/records/case.js";
import { encodeUtf8 } from "../../text/printable.js";

/**
 * Below this a logprob is a provider's mark for "no information", never a value: -9999 (OpenAI, vLLM), -3.4e38 (llama.cpp),
 * -1.27e30 (Gemini). Such entries are dropped, as are NaN and -Infinity.
 */
export const SENTINEL_LOGPROB = -1000;

export function isInformative(logprob: number): boolean {
  return logprob >= SENTINEL_LOGPROB;
}

/** The probability of a logprob. Recorded values reach a little above 0 by rounding; no probability exceeds 1. */
export function probability(logprob: number): number {
  return logprob >= 0 ? 1 : Math.exp(logprob);
}

/** Rounding puts values a little above these; logits lie far above. */
const LARGEST_LOGPROB = 0.01;
const LARGEST_MASS = 1.05;

/**
 * Why a token's values are no log probabilities, in words; null: they may be some. A log probability is at most 0, and the probabilities of the
 * candidates of one token add up to at most 1. Servers that give logits or other scores under that name break one or both.
 */
export function whyNoProbabilities({ text, logprob, top }: Token): string | null {
  let most = logprob;
  let mass = 0;
  for (let i = 0; i < top.length; i++) {
    const value = top[i]!.logprob;
    if (value > most) most = value;
    if (isInformative(value)) mass += probability(value);
  }
  const where = `at the token ${JSON.stringify(text.slice(0, 20))}`;
  if (most > LARGEST_LOGPROB)
    return `a log probability of ${Number(most.toPrecision(3))} ${where}; it can be 0 at most`;
  if (mass > LARGEST_MASS)
    return `probabilities that add up to ${Number(mass.toPrecision(3))} ${where}; they can be 1 at most`;
  return null;
}

/** The largest informative logprob; -Infinity where none is. */
export function largestLogprob(candidates: readonly { logprob: number }[]): number {
  let largest = -Infinity;
  for (let i = 0; i < candidates.length; i++) {
    const { logprob } = candidates[i]!;
    if (isInformative(logprob) && logprob > largest) largest = logprob;
  }
  return largest;
}

/** The candidates at a token's position, with the chosen one among them: providers may leave it out of their list. */
export function candidatesAt(token: Token): readonly Alternative[] {
  return includesChosen(token) ? token.top : [...token.top, token];
}

function includesChosen(token: Token): boolean {
  const top = token.top;
  for (let i = 0; i < top.length; i++) if (sameToken(top[i]!, token)) return true;
  return false;
}

/** The temperature a generation's logprobs are scaled by: 1 where they are raw, greedy (T = 0) or of unknown space. */
export function logprobTemperature(generation: Pick<Generation, "space" | "temperature">): number {
  return generation.space === "tempered" && generation.temperature > 0 ? generation.temperature : 1;
}

/**
 * A token's true bytes where they are known: its `bytes`, else the bytes its text spells (`\xe9\x9b` is how OpenAI prints half a
 * character), else the UTF-8 of its text.
 */
export function tokenBytes(token: Alternative): Uint8Array {
  if (token.bytes) return token.bytes;
  return token.text.includes("\\x") ? spelledBytes(token.text) : encodeUtf8(token.text);
}

function spelledBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const piece of text.split(/(\\x[0-9a-f]{2})/)) {
    if (/^\\x[89a-f][0-9a-f]$/.test(piece)) bytes.push(Number.parseInt(piece.slice(2), 16));
    else bytes.push(...encodeUtf8(piece));
  }
  return Uint8Array.from(bytes);
}

/** True where two candidates are the same token: by bytes where both have them, because distinct tokens can print alike. */
function sameToken(a: Alternative, b: Alternative): boolean {
  if (a.text !== b.text) return false;
  if (!a.bytes || !b.bytes || a.bytes === b.bytes) return true;
  if (a.bytes.length !== b.bytes.length) return false;
  for (let i = 0; i < a.bytes.length; i++) if (a.bytes[i] !== b.bytes[i]) return false;
  return true;
}
