import type { LlamaGrammar } from "node-llama-cpp";
import type { Generation } from "../../core/records/generation.js";
import { isAscii } from "../../text/utf8.js";
import { CallError } from "../call-error.js";
import type { Prompt } from "../prompt.js";
import type { PromptTokens } from "./chat-prompt.js";
import { drawAnswer } from "./draw-answer.js";
import type { Engine } from "./engine.js";
import { gbnf } from "./gbnf.js";
import { makeTokens } from "./make-tokens.js";
import { readPrompt } from "./read-prompt.js";
import { scoreTokens } from "./score-tokens.js";
import { decodeUtf8 } from "./token-pieces.js";
import { allTokens, valueTokens } from "./value-tokens.js";

export interface AnswerOptions {
  temperature: number;
  seed: number;
  logprobs: boolean;
  signal?: AbortSignal;
}

/** A prompt ready for the engine, with the grammar of its answers. */
export interface ReadyPrompt {
  rendered: PromptTokens;
  format: Prompt["format"];
  grammar: LlamaGrammar;
  /** Most tokens that an answer can have. */
  limit: number;
}

/** An answer that would be cut before this share of its room is not begun. */
const LEAST_ROOM = 0.25;

export async function preparePrompt(engine: Engine, prompt: Prompt, outputTokens: number): Promise<ReadyPrompt> {
  const rendered = engine.chat.render(prompt);
  const most = engine.context.contextSize - 1;
  const room = most - rendered.tokens.length;
  if (room < outputTokens * LEAST_ROOM) {
    throw new CallError(
      "bad_request",
      `prompt: longer than the model's context; got ${rendered.tokens.length} tokens, expected at most ${Math.floor(most - outputTokens * LEAST_ROOM)} of ${engine.context.contextSize} beside the answer`,
      "Give the model more room with --context, audit at a lower tier, or show fewer precedents.",
    );
  }
  const grammar = await engine.llama.createGrammar({ grammar: gbnf(prompt.format) });
  return { rendered, format: prompt.format, grammar, limit: Math.min(outputTokens, room) };
}

/** One answer to a prompt, with distributions where signals are read from if they are wanted. */
export async function answerPrompt(
  engine: Engine,
  { rendered, format, grammar, limit }: ReadyPrompt,
  options: AnswerOptions,
): Promise<Omit<Generation, "model">> {
  const { sequence, pieces } = engine;
  const { tokens: prompt } = rendered;
  const { temperature, seed, logprobs, signal } = options;
  const cached = await readPrompt(sequence, rendered, signal);
  const { tokens, finished } = await drawAnswer(engine, prompt.at(-1)!, grammar, { temperature, seed, limit, signal });
  const { bytes, ends } = pieces.join(tokens);
  const text = decodeUtf8(bytes);
  checkPieces(engine, tokens, text);
  const wanted = logprobs ? valueTokens(bytes, ends, format) : { citation: [], labels: [] };
  const distributions = await scoreTokens(sequence, prompt, tokens, allTokens(wanted), signal);
  return {
    text,
    tokens: logprobs ? makeTokens(tokens, distributions, pieces, new Set(wanted.labels)) : null,
    joined: isAscii(text),
    finish: finished ? "stop" : "length",
    space: "raw",
    temperature,
    support: "vocab",
    usage: {
      input_tokens: prompt.length,
      cached_input_tokens: cached,
      output_tokens: tokens.length,
      cost_usd: 0,
    },
  };
}

/** Signals are read at places in the text: a vocabulary that we spell otherwise than the engine does would give numbers of other places. */
function checkPieces({ model }: Engine, tokens: Parameters<typeof model.detokenize>[0], text: string): void {
  const bare = (spelled: string) => spelled.replace(/[\s\uFFFD]/g, "");
  if (bare(model.detokenize(tokens, true)) === bare(text)) return;
  throw new CallError(
    "unsupported",
    `vocabulary: its tokens cannot be laid over the text; got a model of type ${model.vocabularyType}`,
    "Use a model with a SentencePiece or byte-level vocabulary, or serve this one with llama-server and --base-url.",
  );
}
