import { CallError } from "../call-error.js";
import { printable } from "../http/blot-secrets.js";
import { hideSecrets } from "../openai/errors.js";
import { BrokenJson, JsonCursor } from "./json-cursor.js";
import { finishOf, type ScannedChoice, scanChoice, scanLogprobs } from "./scan-choice.js";
import type { ScannedToken, TokenSource } from "./scanned-token.js";

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
 * How the files of this folder share the work: `json-cursor.ts` walks over JSON bytes, `scan-body.ts` and `scan-choice.ts` know the forms of
 * bodies, `scanned-token.ts` has tokens that read their numbers and candidates when asked, `candidate-lists.ts` jumps over the candidates, `token-texts.ts` shares the texts of
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
    "If this stays, check that --base-url is the address of an OpenAI-compatible API (it usually ends in /v1).",
  );
}

function scan(source: TokenSource): ScannedBody | null {
  const { body } = source;
  const cursor = new JsonCursor(body, hasByteOrderMark(body) ? 3 : 0, source.secrets);
  if (!cursor.isObject()) throw new BrokenJson("does not begin with an object");
  const result: ScannedBody = { model: null, choices: [], usage: null, error: null };
  let output: ReturnType<typeof scanOutput> | null = null;
  let status: string | null = null;
  let incomplete: string | null = null;
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "model") result.model = cursor.string();
    else if (key === "choices" && cursor.isList()) result.choices = scanChoices(cursor, source);
    else if (key === "output" && cursor.isList()) output = scanOutput(cursor, source);
    else if (key === "usage" && cursor.isObject()) result.usage = scanUsage(cursor);
    else if (key === "error") result.error = scanError(cursor);
    else if (key === "status") status = cursor.string();
    else if (key === "incomplete_details" && cursor.isObject()) incomplete = scanReason(cursor);
    else cursor.skip();
  }
  if (cursor.peek() !== -1) throw new BrokenJson("goes on after its end");
  if (result.choices.length === 0 && output !== null && (result.error === null || status === "completed")) {
    result.choices = [joinOutput(output, incomplete ?? (status === "incomplete" ? "length" : null))];
  }
  return result.choices.length > 0 || result.error !== null ? result : null;
}

function scanChoices(cursor: JsonCursor, source: TokenSource): ScannedChoice[] {
  const choices: ScannedChoice[] = [];
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (cursor.isObject()) choices.push(scanChoice(cursor, source, choices.length));
    else cursor.skip();
  }
  return choices.sort((a, b) => a.index - b.index);
}

function scanUsage(cursor: JsonCursor): ScannedUsage {
  const usage: ScannedUsage = { input: null, cached: null, output: null, cost: null };
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "prompt_tokens" || key === "input_tokens") usage.input = countOf(cursor.number());
    else if (key === "completion_tokens" || key === "output_tokens") usage.output = countOf(cursor.number());
    else if (key === "prompt_cache_hit_tokens" || key === "cached_tokens") usage.cached = countOf(cursor.number());
    else if (key === "cost") usage.cost = amountOf(cursor.number());
    else if ((key === "prompt_tokens_details" || key === "input_tokens_details") && cursor.isObject()) {
      for (let detail = cursor.firstKey(); detail !== null; detail = cursor.nextKey()) {
        if (detail === "cached_tokens") usage.cached = countOf(cursor.number());
        else cursor.skip();
      }
    } else cursor.skip();
  }
  return usage;
}

/** Larger counts of tokens and dollars are errors. */
const MOST_TOKENS = 1e9;
const MOST_USD = 1e4;

function countOf(value: number | null): number | null {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : null;
}

function amountOf(value: number | null): number | null {
  return value !== null && value >= 0 && value <= MOST_USD ? value : null;
}

function scanReason(cursor: JsonCursor): string | null {
  let reason: string | null = null;
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "reason") reason = cursor.string();
    else cursor.skip();
  }
  return reason;
}

function scanError(cursor: JsonCursor): ScannedError | null {
  if (!cursor.isObject()) {
    const message = cursor.string();
    return message === null ? null : { message, code: null, type: null };
  }
  const error: ScannedError = { message: "no reason was given", code: null, type: null };
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "message") error.message = cursor.string() ?? error.message;
    else if (key === "code") error.code = cursor.isString() ? cursor.string() : cursor.number();
    else if (key === "type") error.type = cursor.string();
    else cursor.skip();
  }
  return error;
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

interface Part {
  type: string;
  text: string;
  tokens: ScannedToken[] | null;
}

/** The `output` list of the Responses form: what its messages say, as one answer. Reasoning and tool calls are no part of it. */
function scanOutput(cursor: JsonCursor, source: TokenSource): Part[] {
  const parts: Part[] = [];
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (!cursor.isObject()) {
      cursor.skip();
      continue;
    }
    let type = "message";
    let content: Part[] = [];
    for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
      if (key === "type") type = cursor.string() ?? type;
      else if (key === "content" && cursor.isList()) content = scanContent(cursor, source);
      else cursor.skip();
    }
    if (type === "message") parts.push(...content);
  }
  return parts;
}

function scanContent(cursor: JsonCursor, source: TokenSource): Part[] {
  const parts: Part[] = [];
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (!cursor.isObject()) {
      cursor.skip();
      continue;
    }
    const found = { content: null as ScannedToken[] | null, refusal: null };
    let type = "output_text";
    let text = "";
    let refusal = "";
    for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
      if (key === "type") type = cursor.string() ?? type;
      else if (key === "text") text = cursor.string() ?? "";
      else if (key === "refusal") refusal = cursor.string() ?? "";
      else if (key === "logprobs") scanLogprobs(cursor, source, found);
      else cursor.skip();
    }
    if (type === "output_text") parts.push({ type, text, tokens: found.content });
    else if (type === "refusal") parts.push({ type, text: refusal, tokens: found.content });
  }
  return parts;
}

/** All parts together are the one answer that this form has. */
function joinOutput(parts: readonly Part[], reason: string | null): ScannedChoice {
  const answer = parts.filter((part) => part.type === "output_text");
  const refused = answer.every((part) => part.text === "") && parts.some((part) => part.type === "refusal");
  const used = refused ? parts.filter((part) => part.type === "refusal") : answer;
  const tokens = used.flatMap((part) => part.tokens ?? []);
  return {
    index: 0,
    text: used.map((part) => part.text).join(""),
    tokens: tokens.length > 0 ? tokens : null,
    finish: refused ? "refusal" : finishOf(reason),
    failed: null,
  };
}
