import { CallError } from "../call-error.js";
import { printable } from "../http/blot-secrets.js";
import { hideSecrets } from "../openai/errors.js";
import {
  BrokenJson,
  isMembers,
  JsonCursor,
  type Members,
  membersOf,
  objectsOf,
  readWhole,
  textOf,
} from "./json-cursor.js";
import { choiceOf, type FoundTokens, finishOf, type ScannedChoice, tokenReaders } from "./scan-choice.js";
import type { TokenSource } from "./scanned-token.js";

export interface ScannedUsage {
  input: number | null;
  cached: number | null;
  output: number | null;
  /** What the call cost by the server's own account (OpenRouter), USD. */
  cost: number | null;
}

/** An error that came with status 200, as gateways send it. */
export interface ScannedError {
  message: string;
  code: string | number | null;
  type: string | null;
}

/** What matters of an answer's body. */
export interface ScannedBody {
  model: string | null;
  /** In the order of their index. */
  choices: ScannedChoice[];
  usage: ScannedUsage | null;
  error: ScannedError | null;
}

/** Characters of a foreign body that an error shows. */
const SHOWN = 200;

/**
 * Reads a chat completion, an older completion or a Responses object from its bytes; which of them it is, the body shows. Nothing is built
 * but what is wanted: of 250 kB some 240 are candidates of tokens that are never looked at.
 *
 * How the files of this folder share the work: `json-cursor.ts` walks over JSON bytes, and reads what is not tokens whole; `scan-body.ts` and
 * `scan-choice.ts` know the forms of bodies, `scanned-token.ts` has tokens that read their numbers and candidates when asked, `candidate-lists.ts` jumps over the candidates, `token-texts.ts` shares the texts of
 * tokens that answers have in common.
 *
 * Measured with an eighth of the candidates read, 195 tokens × 20 candidates with bytes: 3.5 times as fast as JSON.parse on one line
 * (297 kB), 1.2 times indented, as OpenAI sends it (1.03 MB). Without `token-texts.ts` it is 2.6 to 3 times on one line.
 */
export function scanBody(body: Buffer, trueBytes: boolean, secrets: readonly string[] = []): ScannedBody {
  try {
    const scanned = scanTwice(body, trueBytes, secrets);
    if (scanned !== null) return scanned;
  } catch (error) {
    if (error instanceof BrokenJson) throw badAnswer(`is torn or no JSON (${error.message})`, body, secrets);
    throw error;
  }
  throw badAnswer("holds no answer", body, secrets);
}

function scanTwice(body: Buffer, trueBytes: boolean, secrets: readonly string[]): ScannedBody | null {
  try {
    return scan({ body, trueBytes, jump: true, secrets });
  } catch (error) {
    if (error instanceof BrokenJson) return scan({ body, trueBytes, jump: false, secrets });
    throw error;
  }
}

function badAnswer(problem: string, body: Buffer, secrets: readonly string[]): CallError {
  // Much more is read than shown: a key that is cut in two would not be found.
  const start = printable(hideSecrets(body.toString("utf8", 0, 65_536), secrets), SHOWN);
  return new CallError(
    "bad_answer",
    `response body: ${problem}; got ${body.length} bytes${start === "" ? "" : `, beginning: ${start}`}`,
    "If this stays, check that `baseUrl` is the address of an OpenAI-compatible API (it usually ends in /v1).",
  );
}

function scan(source: TokenSource): ScannedBody | null {
  const { body } = source;
  const cursor = new JsonCursor(body, hasByteOrderMark(body) ? 3 : 0, source.secrets);
  const whole = readWhole(cursor, tokenReaders(source));
  const error = errorOf(whole.error);
  const choices = objectsOf(whole.choices)
    .map(choiceOf)
    .sort((a, b) => a.index - b.index);
  if (choices.length === 0 && Array.isArray(whole.output) && (error === null || whole.status === "completed")) {
    const reason = textOf(membersOf(whole.incomplete_details).reason);
    choices.push(outputOf(whole.output, reason ?? (whole.status === "incomplete" ? "length" : null)));
  }
  if (choices.length === 0 && error === null) return null;
  return { model: textOf(whole.model), choices, usage: usageOf(whole.usage), error };
}

/** Larger counts of tokens and dollars are errors. */
const MOST_TOKENS = 1e9;
const MOST_USD = 1e4;

function usageOf(usage: unknown): ScannedUsage | null {
  if (!isMembers(usage)) return null;
  const details = membersOf(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const count = (...found: unknown[]) =>
    (found.find((one) => Number.isInteger(one) && (one as number) >= 0 && (one as number) <= MOST_TOKENS) as number) ??
    null;
  const { cost } = usage;
  return {
    input: count(usage.prompt_tokens, usage.input_tokens),
    cached: count(details.cached_tokens, usage.prompt_cache_hit_tokens, usage.cached_tokens),
    output: count(usage.completion_tokens, usage.output_tokens),
    cost: typeof cost === "number" && cost >= 0 && cost <= MOST_USD ? cost : null,
  };
}

function errorOf(value: unknown): ScannedError | null {
  if (typeof value === "string") return { message: value, code: null, type: null };
  if (!isMembers(value)) return null;
  const { message, code, type } = value;
  const isCode = typeof code === "string" || typeof code === "number";
  return { message: textOf(message) ?? "no reason was given", code: isCode ? code : null, type: textOf(type) };
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

/** The `output` list of the Responses form: what its messages say, as one answer. Reasoning and tool calls are no part of it. */
function outputOf(output: unknown, reason: string | null): ScannedChoice {
  const parts = objectsOf(output)
    .filter(({ type }) => (textOf(type) ?? "message") === "message")
    .flatMap(({ content }) => objectsOf(content));
  const typeOf = ({ type }: Members) => textOf(type) ?? "output_text";
  const answer = parts.filter((part) => typeOf(part) === "output_text");
  const refusals = parts.filter((part) => typeOf(part) === "refusal");
  const refused = refusals.length > 0 && answer.every(({ text }) => !textOf(text));
  const used = refused ? refusals : answer;
  const tokens = used.flatMap(({ logprobs }) => (logprobs as FoundTokens | undefined)?.content ?? []);
  return {
    index: 0,
    text: used.map((part) => textOf(refused ? part.refusal : part.text) ?? "").join(""),
    tokens: tokens.length > 0 ? tokens : null,
    finish: refused ? "refusal" : finishOf(reason),
    failed: null,
  };
}
