import type { LlamaContextSequence } from "node-llama-cpp";
import { CallError } from "../call-error.js";
import { commonPrefix, type PromptTokens } from "./chat-prompt.js";
import { BATCH_TOKENS } from "./engine.js";

/**
 * Brings the sequence to the end of the prompt, all but its last token, and keeps what it already holds of it. Returns how many tokens had
 * not to be evaluated again.
 *
 * Evaluation is cut at the same places of a prompt whatever was kept of it (every 512 tokens from its start, the end of the shared part, every
 * 512 from there, the last token). A token's numbers depend in their last digits on the batch it was evaluated in, so cutting wherever the
 * last prompt began to differ would make an answer depend on which decision came before it.
 */
export async function readPrompt(
  sequence: LlamaContextSequence,
  { tokens, shared }: PromptTokens,
  signal?: AbortSignal,
): Promise<number> {
  const cuts = cutsOf(tokens.length - 1, shared);
  const held = Math.min(commonPrefix(sequence.contextTokens, tokens), tokens.length - 1);
  const kept = cuts.findLast((cut) => cut <= held) ?? 0;
  const before = sequence.tokenMeter.usedInputTokens;
  if (kept < sequence.nextTokenIndex) {
    await sequence.eraseContextTokenRanges([{ start: kept, end: sequence.nextTokenIndex }]);
  }
  let from = kept;
  for (const cut of cuts) {
    if (cut <= from) continue;
    throwIfAborted(signal);
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, cut));
    // For models whose state cannot be rolled back; nothing happens with the others.
    if (cut === shared || cut === tokens.length - 1) await sequence.takeCheckpoint();
    from = cut;
  }
  const evaluated = sequence.tokenMeter.usedInputTokens - before;
  return Math.max(0, tokens.length - 1 - evaluated);
}

/** Where evaluation pauses, ascending, from 0 to `end`. */
export function cutsOf(end: number, shared: number): number[] {
  const border = Math.min(shared, end);
  const cuts: number[] = [];
  for (let at = 0; at < border; at += BATCH_TOKENS) cuts.push(at);
  for (let at = border; at < end; at += BATCH_TOKENS) cuts.push(at);
  cuts.push(end);
  return cuts;
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CallError("aborted", "call: ended before its answer was complete");
}
