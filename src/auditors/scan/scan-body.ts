import type { Generation } from "../../core/records/case.js";
import { CallError } from "../auditor.js";
import { printable } from "../http/raw-response.js";
import { hideSecrets } from "../openai/errors.js";
import {
  BrokenJson,
  isMembers,
  JsonCursor,
  type Members,
  membersOf,
  objectsOf,
  type Readers,
  readWhole,
  textOf,
} from "./json-cursor.js";
import { type ScannedToken, scanTokens, type TokenSource, zipTokens } from "./scanned-token.js";

/** One answer of a body. */
export interface ScannedChoice {
  index: number;
  text: string;
  /** null: the server gave no probabilities. */
  tokens: readonly ScannedToken[] | null;
  finish: Generation["finish"];
  /** The server's words if it broke off this answer itself. */
  failed: string | null;
}

/** Lists of tokens as found; at most one of them belongs to the text. */
export interface FoundTokens {
  content: ScannedToken[] | null;
  refusal: ScannedToken[] | null;
}

/** Readers for the places where servers write tokens: `logprobs`, or what Fireworks keeps in `raw_output`. */
export function tokenReaders(source: TokenSource): Readers {
  const read = (cursor: JsonCursor) => scanLogprobs(cursor, source);
  return { logprobs: read, completion_logprobs: read };
}

/** An item of `choices`, in chat form or in the older form with `text` and flat lists. */
export function choiceOf(choice: Members, position: number): ScannedChoice {
  const { content, refusal } = membersOf(choice.message);
  const found = choice.logprobs as FoundTokens | undefined;
  const raw = membersOf(choice.raw_output).completion_logprobs as FoundTokens | undefined;
  const answer = (Array.isArray(content) ? joinParts(content) : textOf(content)) ?? textOf(choice.text);
  const refused = Boolean(textOf(refusal)) && !answer;
  const tokens = refused ? found?.refusal : (found?.content ?? raw?.content);
  const reason = textOf(choice.finish_reason);
  const broken = "the answer broke off with an error";
  return {
    index: Number.isSafeInteger(choice.index) ? (choice.index as number) : position,
    text: refused ? (refusal as string) : (answer ?? ""),
    tokens: tokens?.length ? tokens : null,
    finish: refused ? "refusal" : finishOf(reason),
    failed: isMembers(choice.error) ? (textOf(choice.error.message) ?? broken) : reason === "error" ? broken : null,
  };
}

export function finishOf(reason: string | null): Generation["finish"] {
  if (reason === "length" || reason === "max_tokens" || reason === "max_output_tokens" || reason === "model_length")
    return "length";
  if (reason === "content_filter") return "filter";
  return "stop";
}

/** Content as a list of parts: their texts joined, without thoughts. */
function joinParts(parts: readonly unknown[]): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    const { type, text } = membersOf(part);
    return /^(?:output_)?text$/.test(textOf(type) ?? "text") ? (textOf(text) ?? "") : "";
  });
  return texts.join("");
}

/** `logprobs`: lists of objects under `content` and `refusal`, a bare list of them, or three parallel flat lists. */
function scanLogprobs(cursor: JsonCursor, source: TokenSource): FoundTokens {
  const found: FoundTokens = { content: null, refusal: null };
  if (cursor.isList()) {
    found.content = scanTokens(cursor, source);
    return found;
  }
  if (!cursor.isObject()) {
    cursor.skip();
    return found;
  }
  let texts: string[] | null = null;
  let logprobs: number[] = [];
  let tops: number[] = [];
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (!cursor.isList()) cursor.skip();
    else if (key === "content") found.content = scanTokens(cursor, source);
    else if (key === "refusal") found.refusal = scanTokens(cursor, source);
    else if (key === "tokens") texts = readList(cursor, () => cursor.string() ?? "");
    else if (key === "token_logprobs") logprobs = readList(cursor, () => cursor.pass());
    else if (key === "top_logprobs") tops = readList(cursor, () => cursor.pass());
    else cursor.skip();
  }
  if (found.content === null && texts !== null) found.content = zipTokens(source, texts, logprobs, tops);
  return found;
}

function readList<T>(cursor: JsonCursor, read: () => T): T[] {
  const items: T[] = [];
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) items.push(read());
  return items;
}

export interface ScannedUsage {
  input: number | null;
  cached: number | null;
  output: number | null;
  /** Cost of the call in USD as the server reports it (OpenRouter). */
  cost: number | null;
}

/** An error that came with status 200, as gateways send it. */
export interface ScannedError {
  message: string;
  code: string | number | null;
  type: string | null;
}

/** The parts of an answer's body that matter. */
export interface ScannedBody {
  model: string | null;
  /** In the order of their index. */
  choices: ScannedChoice[];
  usage: ScannedUsage | null;
  error: ScannedError | null;
}

/** Most characters of a foreign body that an error shows. */
const SHOWN = 200;

/**
 * Reads a chat completion, an older completion or a Responses object from its bytes; the body shows which it is. Only what is
 * wanted is built: of 250 kB, about 240 are candidates of tokens that are never read.
 *
 * How the files of this folder divide the work: `json-cursor.ts` walks over JSON bytes and reads everything but tokens;
 * `scan-body.ts` knows the forms of bodies; `scanned-token.ts` has tokens that read their numbers and candidates on demand;
 * `candidate-lists.ts` jumps over the candidates; `token-texts.ts` shares the texts of tokens that answers have in common.
 *
 * Measured with an eighth of the candidates read, 195 tokens × 20 candidates with bytes: 3.5 times as fast as JSON.parse on one
 * line (297 kB), 1.2 times indented, as OpenAI sends it (1.03 MB). Without `token-texts.ts` it is 2.6 to 3 times on one line.
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
  // Much more is read than shown: a key cut in two would not be found.
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

/** Larger counts of tokens or dollars are taken as errors. */
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

/** The `output` list of the Responses form: its messages as one answer, without reasoning and tool calls. */
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
