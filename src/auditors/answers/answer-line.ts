import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Generation } from "../../core/records/case.js";
import type { Ask } from "../auditor.js";
import { spellOut } from "../openai/batch-line.js";
import { jsonSchema, type OutputFormat } from "../output-format.js";
import {
  BrokenJson,
  isMembers,
  JsonCursor,
  type Members,
  membersOf,
  objectsOf,
  readWhole,
  textOf,
} from "../scan/json-cursor.js";
import { choiceOf, type FoundTokens, finishOf, tokenReaders } from "../scan/scan-body.js";
import type { ScannedToken, TokenSource } from "../scan/scanned-token.js";

/** A key, optionally with the number of a draw. Only letters and digits, so that every batch service accepts it as an id. */
const KEY = /^(p1[0-9a-f]{32})(?:n([1-9]\d{0,8}))?$/;

/**
 * Identifies a question: SHA-256 over the two messages and the schema of the answer. Temperature, seed and token limits are left
 * out, because a gateway may not let a caller choose them: an answer counts for the question it answers, however it was made.
 * Only an arm that sets a temperature has keys of its own: its answers must not be mixed with those of other arms.
 */
export function promptKey({ prompt, variant }: Pick<Ask, "prompt" | "variant">): string {
  const { system, shared, own, format } = prompt!;
  const hash = createHash("sha256");
  const parts = [system, `${shared}${own}`, schemaText(format), ...(variant === undefined ? [] : [variant])];
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return `p1${hash.digest("hex").slice(0, 32)}`;
}

/** The id of one answer to a question. Draws are counted from 1. */
export function answerId(key: string, draw: number): string {
  return `${key}n${draw}`;
}

/** The question's key, and the draw if named; null: not one of our keys. */
export function parseKey(text: string): { key: string; draw: number | null } | null {
  const match = KEY.exec(text);
  return match && { key: match[1]!, draw: match[2] === undefined ? null : Number(match[2]) };
}

const SCHEMAS = new WeakMap<OutputFormat, string>();

function schemaText(format: OutputFormat): string {
  let text = SCHEMAS.get(format);
  if (text === undefined) {
    text = JSON.stringify(jsonSchema(format));
    SCHEMAS.set(format, text);
  }
  return text;
}

/** What a line says apart from its answer. */
export interface LineHead {
  key: string;
  /** null: the next free draw. */
  draw: number | null;
  model: string | null;
  logprobs: boolean;
  /** The error message if the call failed: there is no answer yet. */
  failed: string | null;
}

/** Why a line cannot be used: it is unreadable, or its key is not one of ours. */
type LineFault = "malformed" | "foreign";

const MOST_DRAWS = 1_000_000;
const LONGEST_NAME = 200;

export function readHead(line: Buffer): LineHead | LineFault {
  const fields = isUtf8(line) ? fieldsOf(line) : null;
  return fields === null ? "malformed" : headOf(fields);
}

/** The answer on a line; null: it has none to this question. */
export function readAnswer(
  line: Buffer,
  key: string,
  asked: { temperature: number; model: string },
): Generation | null {
  const fields = fieldsOf(line);
  const head = fields === null ? "malformed" : headOf(fields);
  if (fields === null || typeof head === "string" || head.key !== key || head.failed !== null) return null;
  const { tokens, finish, space, usage } = fields;
  const text = fields.text ?? "";
  return {
    text,
    tokens,
    ...(tokens ? { joined: spellOut(tokens, text) } : {}),
    finish,
    space,
    temperature: fields.temperature ?? asked.temperature,
    support: "top_k",
    model: head.model ?? asked.model,
    usage,
  };
}

function fieldsOf(line: Buffer): Fields | null {
  try {
    return scanFields(line);
  } catch (cause) {
    if (cause instanceof BrokenJson) return null;
    throw cause;
  }
}

function headOf({ name, draw, model, text, tokens, failed }: Fields): LineHead | LineFault {
  const badDraw = draw !== null && !(Number.isInteger(draw) && draw >= 1 && draw <= MOST_DRAWS);
  if (name === null || badDraw || (text === null && failed === null)) return "malformed";
  const known = parseKey(name);
  if (known === null) return "foreign";
  return {
    key: known.key,
    draw: draw ?? known.draw,
    model: model?.trim().slice(0, LONGEST_NAME) || null,
    logprobs: tokens !== null,
    failed,
  };
}

/** The fields of a line of answers, in our own format or in a provider's batch output. */
interface Fields {
  /** The key or id, as written. */
  name: string | null;
  draw: number | null;
  model: string | null;
  /** What the model wrote; null: nothing. */
  text: string | null;
  tokens: readonly ScannedToken[] | null;
  finish: Generation["finish"];
  space: Generation["space"];
  temperature: number | null;
  usage: Generation["usage"];
  /** Why there is no answer, as the line puts it. */
  failed: string | null;
}

/** Members as found, before it is decided which of them count. */
interface Found {
  names: Partial<Record<(typeof NAMES)[number], string>>;
  draw: number | null;
  model: string | null;
  text: string | null;
  answer: string | null;
  refusal: string | null;
  tokens: readonly ScannedToken[] | null;
  finish: Generation["finish"] | null;
  space: Generation["space"];
  temperature: number | null;
  usage: Generation["usage"];
  failed: string | null;
}

/** Members that may identify the prompt; the first one present counts: ours, that of OpenAI's and Anthropic's batch files, that of Bedrock. */
const NAMES = ["key", "custom_id", "recordId", "id"] as const;
/** Members that may wrap a provider's answer. */
const WRAPPERS = new Set(["response", "body", "result", "message", "modelOutput", "output"]);
/** Deepest nesting of wrappers: `response`, `body`, or `modelOutput`, `output`, `message`. */
const DEEPEST = 4;
const FAILED_TYPES = new Set(["errored", "expired", "canceled", "cancelled"]);
const MOST_TOKENS = 1e9;
const MOST_USD = 1e4;
const NO_USAGE: Generation["usage"] = {
  ...{ input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null },
};

/** Throws BrokenJson if the line is not a JSON object. */
function scanFields(line: Buffer): Fields {
  const source = { body: line, trueBytes: true, secrets: [] };
  try {
    return settle(scanLine(line, { ...source, jump: true }));
  } catch (cause) {
    if (!(cause instanceof BrokenJson)) throw cause;
    // Lists of candidates are jumped over. If one is written in an unusual form, the line is read in full.
    return settle(scanLine(line, { ...source, jump: false }));
  }
}

function scanLine(line: Buffer, source: TokenSource): Found {
  // An answer or tool call that is an object keeps its original spelling.
  const whole = readWhole(new JsonCursor(line), { ...tokenReaders(source), answer: objectText, input: objectText });
  const found: Found = {
    ...{ names: {}, draw: null, model: null, text: null, answer: null, refusal: null, tokens: null, finish: null },
    ...{ space: "unknown", temperature: null, usage: NO_USAGE, failed: null },
  };
  takeMembers(whole, found, 0);
  return found;
}

function settle(found: Found): Fields {
  const { names, draw, model, tokens, refusal, space, temperature, usage } = found;
  // A parsed object has lost its spelling; its tokens still have it.
  const spelled = found.answer !== null && tokens ? tokens.map(({ text }) => text).join("") : found.answer;
  const stated = found.text ?? spelled;
  const refused = refusal !== null && (stated === null || stated === "");
  const text = refused ? refusal : stated;
  return {
    name: NAMES.map((name) => names[name]).find((name) => name !== undefined) ?? null,
    ...{ draw, model, text, tokens, space, temperature, usage },
    finish: refused ? "refusal" : (found.finish ?? "stop"),
    failed: text === null ? found.failed : null,
  };
}

/** Takes the members of an object, at the top of a line or inside wrappers. Outer members take precedence over a provider's. */
function takeMembers(members: Members, found: Found, depth: number): void {
  for (const [key, value] of Object.entries(members)) {
    const text = textOf(value);
    if (WRAPPERS.has(key) && isMembers(value) && depth < DEEPEST) takeMembers(value, found, depth + 1);
    else if (depth === 0 && isName(key)) found.names[key] = text ?? undefined;
    else if (depth === 0 && key === "draw") found.draw = typeof value === "number" ? value : null;
    else if (key === "model") found.model = depth === 0 ? (text ?? found.model) : (found.model ?? text);
    else if (key === "text" || (key === "content" && text !== null)) found.text = text;
    else if (key === "answer") found.answer = text;
    else if (key === "refusal") found.refusal = text || null;
    else if (key === "choices") takeChoice(value, found);
    else if (key === "content" && Array.isArray(value)) takeBlocks(value, found);
    else if (key === "logprobs") {
      const { content, refusal } = value as FoundTokens;
      found.tokens = someTokens(content ?? refusal) ?? found.tokens;
    } else if (key === "finish_reason" || key === "stop_reason" || key === "stopReason")
      found.finish = finishFrom(text);
    else if (key === "logprob_space") found.space = text === "raw" || text === "tempered" ? text : "unknown";
    else if (key === "temperature") found.temperature = inRange(value, 2);
    else if (key === "usage" && isMembers(value)) found.usage = usageOf(value);
    else if (key === "error") found.failed ??= text ?? (value === null ? null : JSON.stringify(value));
    else if (key === "status_code") found.failed ??= failedStatus(value);
    else if (key === "type" && FAILED_TYPES.has(text ?? "")) found.failed ??= text;
  }
}

function isName(key: string): key is (typeof NAMES)[number] {
  return (NAMES as readonly string[]).includes(key);
}

/** The first of a chat completion's choices. */
function takeChoice(choices: unknown, found: Found): void {
  const [first] = objectsOf(Array.isArray(choices) ? choices.slice(0, 1) : null);
  if (!first) return;
  const { text, tokens, finish, failed } = choiceOf(first, 0);
  found.tokens = someTokens(tokens);
  found.finish = finish;
  if (failed !== null) found.failed ??= failed;
  else if (finish === "refusal") found.refusal = text;
  else found.text = text;
}

/** Content as a list of blocks: the texts joined, or what a tool was called with. Thoughts are not part of an answer. */
function takeBlocks(content: readonly unknown[], found: Found): void {
  const blocks = objectsOf(content);
  const called = blocks.map(({ input, toolUse }) => textOf(input) ?? textOf(membersOf(toolUse).input));
  const tool = called.find((one) => one !== null);
  // A model that calls a tool may announce it in a text block first.
  if (tool !== undefined) found.answer = tool;
  else found.text = blocks.map(({ text }) => textOf(text) ?? "").join("");
}

function someTokens(tokens: readonly ScannedToken[] | null): readonly ScannedToken[] | null {
  return tokens !== null && tokens.length > 0 ? tokens : null;
}

/** The text of the object at this place. Returns null and skips the value if it is not an object. */
function objectText(cursor: JsonCursor): string | null {
  const isObject = cursor.isObject();
  const start = cursor.pass();
  return isObject ? cursor.bytes.toString("utf8", start, cursor.at) : null;
}

function failedStatus(status: unknown): string | null {
  return typeof status === "number" && status >= 400 ? `status ${status}` : null;
}

function finishFrom(reason: string | null): Generation["finish"] {
  if (reason === "refusal") return "refusal";
  if (reason === "content_filtered" || reason === "guardrail_intervened") return "filter";
  return finishOf(reason);
}

function inRange(value: unknown, most: number): number | null {
  return typeof value === "number" && value >= 0 && value <= most ? value : null;
}

/** Usage, as OpenAI, Anthropic or Bedrock name it. Anthropic counts tokens served from its cache separately from the input. */
function usageOf(usage: Members): Generation["usage"] {
  const count = (...names: string[]): number | null => {
    const value = names.map((name) => usage[name]).find((one) => one !== undefined && one !== null);
    return Number.isInteger(value) ? inRange(value, MOST_TOKENS) : null;
  };
  const details = membersOf(usage.prompt_tokens_details);
  const read = count("cache_read_input_tokens", "cacheReadInputTokens");
  const written = count("cache_creation_input_tokens", "cacheWriteInputTokens");
  const input = count("prompt_tokens", "input_tokens", "inputTokens");
  return {
    input_tokens: input === null ? null : input + (read ?? 0) + (written ?? 0),
    cached_input_tokens: read ?? inRange(details.cached_tokens, MOST_TOKENS),
    output_tokens: count("completion_tokens", "output_tokens", "outputTokens"),
    cost_usd: inRange(usage.cost, MOST_USD),
  };
}
