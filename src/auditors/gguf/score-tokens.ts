import type { ControlledEvaluateInputItem, LlamaContextSequence, LlamaGrammar, Token } from "node-llama-cpp";
import type { Alternative } from "../../core/records/case.js";
import { isJson } from "../../core/text-checks.js";
import { decodeUtf8, type TokenPieces } from "./chat-prompt.js";
import { type Engine, throwIfAborted } from "./engine.js";

/**
 * The probabilities of a whole vocabulary at one position, best first, without the negligible tail. 8 bytes per token: a map of
 * 150,000 entries takes megabytes, and an answer has about 40 of them.
 */
export interface Distribution {
  ids: Int32Array;
  /** As the engine returns them, in single precision. */
  probs: Float32Array;
  /** Their sum: not exactly 1, because the engine also sums in single precision. Divide by it. */
  total: number;
  /** Entropy of the whole distribution, before the tail was cut. */
  bits: number;
}

/** Bits of entropy that may be lost with the tail: of 150,000 tokens, those below about 1e-17 each. */
const TAIL_BITS = 1e-11;

/** The engine's list, already best first, without its tail. */
export function compactDistribution(probabilities: ReadonlyMap<number, number>): Distribution {
  const ids = new Int32Array(probabilities.size);
  const probs = new Float32Array(probabilities.size);
  let end = 0;
  let total = 0;
  for (const [id, probability] of probabilities) {
    if (!(probability > 0)) continue;
    ids[end] = id;
    probs[end++] = probability;
    total += probability;
  }
  let bits = 0;
  for (let i = 0; i < end; i++) bits -= (probs[i]! / total) * Math.log2(probs[i]! / total);
  for (let lost = 0; end > 1; end--) {
    const p = probs[end - 1]! / total;
    lost -= p * Math.log2(p);
    if (lost > TAIL_BITS) break;
  }
  return { ids: ids.slice(0, end), probs: probs.slice(0, end), total, bits };
}

export function logprobAt({ probs, total }: Distribution, index: number): number {
  return Math.min(0, Math.log(probs[index]! / total));
}

/** Natural-log probability of a token; null if it is in the tail. */
export function logprobOf(distribution: Distribution, id: number): number | null {
  const at = distribution.ids.indexOf(id);
  return at < 0 ? null : logprobAt(distribution, at);
}

/** All candidates, best first, or only the best `most`. */
export function alternativesOf(
  distribution: Distribution,
  pieces: TokenPieces,
  most = Number.POSITIVE_INFINITY,
): Alternative[] {
  const alternatives = new Array<Alternative>(Math.min(most, distribution.ids.length));
  for (let i = 0; i < alternatives.length; i++) {
    const { text, bytes, lossy } = pieces.piece(distribution.ids[i]!);
    const logprob = logprobAt(distribution, i);
    alternatives[i] = lossy ? { text, bytes, logprob } : { text, logprob };
  }
  return alternatives;
}

/** Tokens evaluated together: enough to be fast, few enough to stop soon. */
export const SCORE_BATCH = 64;

/**
 * The distribution over the whole vocabulary at each of the wanted tokens of an answer: softmax of the logits at temperature 1,
 * before the grammar. This is what the model considered likely. A masked distribution would also reflect what it was allowed to
 * write: a forced token has no entropy, and labels always have a mass of 1. llama.cpp's own server reports the same.
 *
 * The answer is evaluated again from its first wanted token, in batches, because while drawing the engine gives tempered and
 * masked probabilities, and a map of the whole vocabulary for every token, at 95 ms each for 150,000 tokens. Evaluating again
 * costs about 80 tokens at the speed of a prompt and the maps of about 40.
 */
export async function scoreTokens(
  sequence: LlamaContextSequence,
  prompt: readonly Token[],
  answer: readonly Token[],
  wanted: readonly number[],
  signal?: AbortSignal,
): Promise<Map<number, Distribution>> {
  const found = new Map<number, Distribution>();
  if (wanted.length === 0) return found;
  // The text before a token determines its distribution, so evaluation begins one token earlier.
  const begin = prompt.length + wanted[0]! - 1;
  const end = prompt.length + wanted.at(-1)!;
  const all = [...prompt.slice(begin), ...answer.slice(Math.max(0, wanted[0]! - 1), wanted.at(-1)!)];
  const positions = new Set(wanted);
  await sequence.eraseContextTokenRanges([{ start: begin, end: sequence.nextTokenIndex }]);
  for (let from = begin; from < end; from += SCORE_BATCH) {
    throwIfAborted(signal);
    const chunk = all.slice(from - begin, from - begin + SCORE_BATCH);
    const items = chunk.map((token, i): ControlledEvaluateInputItem => {
      return positions.has(from + i + 1 - prompt.length) ? [token, { generateNext: { probabilities: true } }] : token;
    });
    await sequence.controlledEvaluate(items, {
      onTokenResult(index, { next }) {
        found.set(from + index + 1 - prompt.length, compactDistribution(next.probabilities!));
        // The engine keeps its results, megabytes each, until the call ends.
        next.probabilities!.clear();
      },
    });
  }
  return found;
}

interface DrawOptions {
  temperature: number;
  seed: number;
  /** Most tokens of the answer. */
  limit: number;
  signal?: AbortSignal;
}

/** Tokens of one answer. `finished`: its object is closed. */
interface DrawnAnswer {
  tokens: Token[];
  finished: boolean;
}

/**
 * Draws an answer after the prompt's last token, which is not evaluated yet. Every token is drawn from softmax(logits / T) over
 * the tokens that the grammar allows, with no other truncation; at T = 0 it is the most likely of them.
 */
export async function drawAnswer(
  { sequence, model, library, pieces }: Engine,
  last: Token,
  grammar: LlamaGrammar,
  { temperature, seed, limit, signal }: DrawOptions,
): Promise<DrawnAnswer> {
  const tokens: Token[] = [];
  const drawing = sequence.evaluate([last], {
    temperature,
    topK: 0,
    topP: 1,
    minP: 0,
    seed,
    grammarEvaluationState: new library.LlamaGrammarEvaluationState({ model, grammar }),
  });
  for await (const token of drawing) {
    throwIfAborted(signal);
    tokens.push(token);
    // Stops at the closing brace, not at an end mark: one token less to evaluate, and a vocabulary may have no such mark.
    if (pieces.piece(token).text.endsWith("}") && isJson(decodeUtf8(pieces.join(tokens).bytes))) {
      return { tokens, finished: true };
    }
    if (tokens.length >= limit) break;
  }
  return { tokens, finished: false };
}
