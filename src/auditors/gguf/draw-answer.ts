import type { LlamaGrammar, Token } from "node-llama-cpp";
import { isJson } from "../../core/is-json.js";
import type { Engine } from "./engine.js";
import { throwIfAborted } from "./read-prompt.js";
import { decodeUtf8 } from "./token-pieces.js";

export interface DrawOptions {
  temperature: number;
  seed: number;
  /** Most tokens. */
  limit: number;
  signal?: AbortSignal;
}

/** Tokens of one answer. `finished`: its object is closed. */
export interface DrawnAnswer {
  tokens: Token[];
  finished: boolean;
}

/**
 * Draws an answer after the prompt's last token, which is not evaluated yet. Every token comes from softmax(logits / T) over the tokens that
 * the grammar allows, with nothing else cut off; at T = 0 it is the likeliest of them.
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
    // Ended here, not by an end mark: a token less to evaluate, and a vocabulary may have no such mark.
    if (pieces.piece(token).text.endsWith("}") && isJson(decodeUtf8(pieces.join(tokens).bytes))) {
      return { tokens, finished: true };
    }
    if (tokens.length >= limit) break;
  }
  return { tokens, finished: false };
}
