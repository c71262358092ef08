import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp";
import { compactDistribution, type Distribution } from "./distribution.js";
import { throwIfAborted } from "./read-prompt.js";

/** Tokens evaluated together: large enough to be fast, small enough to be ended soon. */
export const SCORE_BATCH = 64;

/**
 * The distribution over the whole vocabulary at each of the wanted tokens of an answer: softmax of the logits at temperature 1, before the
 * grammar. That is what the model held likely, where a masked distribution would also tell what it was allowed to write: a forced token has no
 * entropy, and labels always have a mass of 1. llama.cpp's own server reports the same.
 *
 * The answer is read again from its first wanted token, in batches, because the engine gives tempered and masked probabilities while it
 * draws, and a map of the whole vocabulary for every token, at 95 ms each for 150,000 tokens. Reading again costs some 80 tokens at the
 * speed of a prompt and the maps of some 40.
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
  // What stands before a token tells its distribution: reading begins one earlier.
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
        // The engine keeps its results to the end of the call: megabytes each.
        next.probabilities!.clear();
      },
    });
  }
  return found;
}
