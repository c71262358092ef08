import type { Alternative, Generation, Token } from "../../core/records/case.js";
import { encodeUtf8 } from "../../text/printable.js";

/**
 * A logprob below this is a provider's mark for "no information", never a value: -9999 (OpenAI, vLLM), -3.4e38 (llama.cpp), -1.27e30 (Gemini). Such
 * entries are dropped, as are NaN and -Infinity.
 */
export const SENTINEL_LOGPROB = -1000;

export function isInformative(logprob: number): boolean {
  return logprob >= SENTINEL_LOGPROB;
}

/** The probability of a logprob. Rounding can put recorded values slightly above 0, but no probability exceeds 1. */
export function probability(logprob: number): number {
  return logprob >= 0 ? 1 : Math.exp(logprob);
}

/** Rounding can put values slightly above 0 and 1; these bounds allow for it, and logits are far above them. */
const LARGEST_LOGPROB = 0.01;
const LARGEST_MASS = 1.05;

/**
 * Why a token's values cannot be log probabilities, in words; null if they can. A log probability is at most 0, and the probabilities of the
 * candidates of one token sum to at most 1. Servers that return logits or other scores under that name violate one or both.
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

/** The largest informative logprob; -Infinity if absent. */
export function largestLogprob(candidates: readonly { logprob: number }[]): number {
  let largest = -Infinity;
  for (let i = 0; i < candidates.length; i++) {
    const { logprob } = candidates[i]!;
    if (isInformative(logprob) && logprob > largest) largest = logprob;
  }
  return largest;
}

/** The candidates at a token's position, including the chosen one, which providers may leave out of their list. */
export function candidatesAt(token: Token): readonly Alternative[] {
  return includesChosen(token) ? token.top : [...token.top, token];
}

function includesChosen(token: Token): boolean {
  const top = token.top;
  for (let i = 0; i < top.length; i++) if (sameToken(top[i]!, token)) return true;
  return false;
}

/** The temperature that a generation's logprobs are scaled by: 1 if they are raw, greedy (T = 0) or in an unknown space. */
export function logprobTemperature(generation: Pick<Generation, "space" | "temperature">): number {
  return generation.space === "tempered" && generation.temperature > 0 ? generation.temperature : 1;
}

/** A token's true bytes: its `bytes`, else those that its text spells (`\xe9\x9b` is OpenAI's half a character), else the UTF-8 of its text. */
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

/** Whether two candidates are the same token, compared by bytes if both have them, because distinct tokens can print alike. */
function sameToken(a: Alternative, b: Alternative): boolean {
  if (a.text !== b.text) return false;
  if (!a.bytes || !b.bytes || a.bytes === b.bytes) return true;
  if (a.bytes.length !== b.bytes.length) return false;
  for (let i = 0; i < a.bytes.length; i++) if (a.bytes[i] !== b.bytes[i]) return false;
  return true;
}

/** The three fields whose label is one token of a small closed set. */
export type LabelField = "level" | "weight" | "inverse";

/** Surface words by category, lower case. All first letters within a field differ, so any prefix identifies one category. */
const WORDS: Record<LabelField, readonly (readonly string[])[]> = {
  level: [["1"], ["2"], ["3"]],
  weight: [["high"], ["medium"], ["low"]],
  inverse: [
    ["yes", "true"],
    ["no", "false"],
  ],
};

/** Number of categories of a field, in this order: levels 1, 2, 3; High, Medium, Low; Yes, No. */
export function categoryCount(field: LabelField): number {
  return WORDS[field].length;
}

/** Normalising costs more than a lookup, and a vocabulary is finite. Cleared when full, so that unusual input cannot grow it without bound. */
const CACHE_LIMIT = 20_000;
const caches: Record<LabelField, Map<string, number>> = { level: new Map(), weight: new Map(), inverse: new Map() };

/**
 * The category that a candidate token begins, or -1. Spaces, quotes and other delimiters around the word are dropped (` "High",`), case is ignored,
 * and a first piece counts for its word (`Med`, `Y`); `2.0` is 2, but `12` is not a level. `prefix` is what the chosen token contains before its
 * value (`":"`); for candidates that share it, the text after it is read.
 */
export function categoryOf(text: string, field: LabelField, prefix = ""): number {
  const value = prefix !== "" && text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const cache = caches[field];
  const known = cache.get(value);
  if (known !== undefined) return known;
  const category = categorise(value, field);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(value, category);
  return category;
}

function categorise(text: string, field: LabelField): number {
  let start = 0;
  while (start < text.length && isDelimiter(text[start]!)) start++;
  let end = start;
  while (end < text.length && !isDelimiter(text[end]!)) end++;
  const word = text.slice(start, end).toLowerCase();
  if (word === "") return -1;
  if (field === "level") return /^[123](?:\.0*)?$/.test(word) ? Number(word[0]) - 1 : -1;
  return WORDS[field].findIndex((words) => words.some((full) => full.startsWith(word)));
}

/** Space, JSON and Markdown punctuation, and the space marks of SentencePiece and byte-level BPE. */
const DELIMITERS = new Set([..." \n\r\t\u00a0\"'`:,{}[]()*“”▁Ġ"]);

function isDelimiter(character: string): boolean {
  return DELIMITERS.has(character);
}

/**
 * Logprobs of a distribution sampled at temperature T, converted to temperature 1, so that auditors whose servers report post-temperature values
 * (SGLang, node-llama-cpp) can be compared with those that report raw ones.
 *
 * Formula: p_i = c · q_i^T for the listed q, with c such that Σ p_i = Σ q_i.
 * Range: logprobs in, logprobs out (nats, ≤ 0); order is kept; entries without information (< -1000) are unchanged.
 * Undefined when: T ≤ 0 (a greedy server reports raw values; the list is returned unchanged).
 * Differs from the paper: the paper does not say which space its logprobs are in. Exact only up to the constant c, so exact after renormalising,
 * and fully exact if the list is the whole distribution; the mass beyond the list remains at temperature T.
 * @see paper §7.2 (temperature sweep)
 * @example temperToUnit([Math.log(0.5), Math.log(0.5)], 0.2).map((logprob) => Math.round(Math.exp(logprob) * 100)) // => [50, 50]
 */
export function temperToUnit(logprobs: readonly number[], temperature: number): number[] {
  if (!(temperature > 0)) return [...logprobs];
  const shift = unitShift(
    logprobs.map((logprob) => ({ logprob })),
    temperature,
  );
  return logprobs.map((logprob) => (isInformative(logprob) ? temperature * logprob + shift : logprob));
}

/** ln c of `temperToUnit`, so that a logprob at temperature 1 is `temperature * logprob + shift`; 0 at temperature 1. */
export function unitShift(candidates: readonly { logprob: number }[], temperature: number): number {
  if (temperature === 1) return 0;
  const largest = largestLogprob(candidates);
  if (largest === -Infinity) return 0;
  let tempered = 0;
  let unit = 0;
  for (let i = 0; i < candidates.length; i++) {
    const { logprob } = candidates[i]!;
    if (!isInformative(logprob)) continue;
    tempered += probability(logprob);
    // Relative to the largest, so that a high temperature times a low logprob cannot underflow every term.
    unit += Math.exp(temperature * (logprob - largest));
  }
  return Math.log(Math.min(1, tempered)) - Math.log(unit) - temperature * largest;
}
