import type { LlamaGrammar } from "node-llama-cpp";
import type { Alternative, Generation, Token } from "../../core/records/case.js";
import { locateTokens } from "../../measures/signals/align-tokens.js";
import { scanObject } from "../../measures/signals/scan-object.js";
import { isAscii } from "../../text/printable.js";
import { CallError } from "../auditor.js";
import { gbnf, type OutputFormat, type Prompt } from "../output-format.js";
import { decodeUtf8, type PromptTokens, type TokenPieces } from "./chat-prompt.js";
import { type Engine, readPrompt } from "./engine.js";
import { alternativesOf, type Distribution, drawAnswer, logprobOf, scoreTokens } from "./score-tokens.js";

/** Logprob of a token whose probability was not requested or is too small to express; every reader takes it as "no information". */
const NO_LOGPROB = -9999;

const NO_CANDIDATES: readonly Alternative[] = [];

/** Candidates listed for a token with a known entropy: enough to see what else might have been written. */
const LISTED = 64;

/**
 * The answer's tokens, with their distributions where there are any: all candidates at labels; elsewhere the best 64 and the exact entropy. Lists are
 * built on demand and only the last one is kept: lists of 150,000 candidates would take gigabytes, and readers go from token to token.
 */
export function makeTokens(
  ids: readonly number[],
  distributions: ReadonlyMap<number, Distribution>,
  pieces: TokenPieces,
  labels: ReadonlySet<number>,
): Token[] {
  let last: { of: Distribution; candidates: readonly Alternative[] } | null = null;
  return ids.map((id, i): Token => {
    const { text, bytes } = pieces.piece(id);
    const distribution = distributions.get(i);
    if (!distribution) return { text, bytes, logprob: NO_LOGPROB, top: NO_CANDIDATES };
    const most = labels.has(i) ? Number.POSITIVE_INFINITY : LISTED;
    return {
      text,
      bytes,
      logprob: logprobOf(distribution, id) ?? NO_LOGPROB,
      bits: distribution.bits,
      get top() {
        if (last?.of !== distribution)
          last = { of: distribution, candidates: alternativesOf(distribution, pieces, most) };
        return last.candidates;
      },
    };
  });
}

/** Every token of this field is read; of the others, only the token where the choice is made. */
const CITATION = "policy_citation";

interface ValueTokens {
  /** All tokens of the citation. */
  citation: number[];
  /** The first token of each label. */
  labels: number[];
}

/** The tokens of an answer that signals are read from. `ends`: the tokens' ends in bytes. A value that the answer broke off in has none. */
export function valueTokens(bytes: Uint8Array, ends: Int32Array, format: OutputFormat): ValueTokens {
  // One character per byte: offsets in the text are byte offsets, whatever the bytes are.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const object = text.startsWith("{") ? scanObject(text, 0) : null;
  const starts = ends.map((_, i) => (i === 0 ? 0 : ends[i - 1]!));
  const found: ValueTokens = { citation: [], labels: [] };
  for (const member of object?.members ?? []) {
    const field = format.fields.find(({ name }) => name === member.key);
    if (field === undefined || !member.complete) continue;
    const { first, end } = locateTokens({ starts, ends, loose: null }, member);
    if (field.name === CITATION) for (let i = first; i < end; i++) found.citation.push(i);
    else if ((field.kind === "choice" || field.kind === "digit") && first < end) found.labels.push(first);
  }
  return found;
}

export function allTokens({ citation, labels }: ValueTokens): number[] {
  return [...new Set([...citation, ...labels])].sort((a, b) => a - b);
}

interface AnswerOptions {
  temperature: number;
  seed: number;
  logprobs: boolean;
  signal?: AbortSignal;
}

/** A prompt ready for the engine, with the grammar of its answers. */
interface ReadyPrompt {
  rendered: PromptTokens;
  format: Prompt["format"];
  grammar: LlamaGrammar;
  /** Most tokens an answer can have. */
  limit: number;
}

/** An answer that would be cut before this share of its room is not started. */
const LEAST_ROOM = 0.25;

export async function preparePrompt(engine: Engine, prompt: Prompt, outputTokens: number): Promise<ReadyPrompt> {
  const rendered = engine.chat.render(prompt);
  const most = engine.context.contextSize - 1;
  const room = most - rendered.tokens.length;
  if (room < outputTokens * LEAST_ROOM) {
    throw new CallError(
      "bad_request",
      `prompt: longer than the model's context; got ${rendered.tokens.length} tokens, expected at most ${Math.floor(most - outputTokens * LEAST_ROOM)} of ${engine.context.contextSize} next to the answer`,
      "Give the model more room with `context`, audit at a lower tier, or show fewer precedents.",
    );
  }
  const grammar = await engine.llama.createGrammar({ grammar: gbnf(prompt.format) });
  return { rendered, format: prompt.format, grammar, limit: Math.min(outputTokens, room) };
}

/** One answer to a prompt, with distributions at the places signals are read from if they are wanted. */
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

/** Signals are read at places in the text: if we spelled the vocabulary differently from the engine, the numbers would belong to other places. */
function checkPieces({ model }: Engine, tokens: Parameters<typeof model.detokenize>[0], text: string): void {
  const bare = (spelled: string) => spelled.replace(/[\s\uFFFD]/g, "");
  if (bare(model.detokenize(tokens, true)) === bare(text)) return;
  throw new CallError(
    "unsupported",
    `vocabulary: its tokens cannot be laid over the text; got a model of type ${model.vocabularyType}`,
    "Use a model with a SentencePiece or byte-level vocabulary, or serve this one with llama-server and give its address as `baseUrl`.",
  );
}
