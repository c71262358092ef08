import type { Generation } from "../../core/records/case.js";
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

/** What a line of answers holds, in our own form or in that of a provider's batch output. */
export interface Fields {
  /** The key or id, as it is written. */
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
  /** Why there is no answer, in the words of the line. */
  failed: string | null;
}

/** As the members are found, before it is clear what counts. */
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

/** Members that may say which prompt it is, the first that is there: ours, that of batch files of OpenAI and Anthropic, that of Bedrock. */
const NAMES = ["key", "custom_id", "recordId", "id"] as const;
/** Members in which a provider's answer may be wrapped. */
const WRAPPERS = new Set(["response", "body", "result", "message", "modelOutput", "output"]);
/** Wrappers inside one another: `response`, `body`, or `modelOutput`, `output`, `message`. */
const DEEPEST = 4;
const FAILED_TYPES = new Set(["errored", "expired", "canceled", "cancelled"]);
const MOST_TOKENS = 1e9;
const MOST_USD = 1e4;
const NO_USAGE: Generation["usage"] = {
  ...{ input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null },
};

/** Reads a line. BrokenJson where it is not a JSON object. */
export function scanFields(line: Buffer): Fields {
  const source = { body: line, trueBytes: true, secrets: [] };
  try {
    return settle(scanLine(line, { ...source, jump: true }));
  } catch (cause) {
    if (!(cause instanceof BrokenJson)) throw cause;
    // Lists of candidates are jumped over; one that is written in another form than usual is read in full.
    return settle(scanLine(line, { ...source, jump: false }));
  }
}

function scanLine(line: Buffer, source: TokenSource): Found {
  // An answer or a call of a tool that is an object keeps its spelling.
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
  // An object has lost the spelling that its tokens have.
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

/** The members of an object, at the top of a line or inside wrappers. What the line itself says goes before what a provider wrote. */
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

/** Content as a list of blocks: the texts joined, else what a tool was called with. Thoughts are no part of an answer. */
function takeBlocks(content: readonly unknown[], found: Found): void {
  const blocks = objectsOf(content);
  const called = blocks.map(({ input, toolUse }) => textOf(input) ?? textOf(membersOf(toolUse).input));
  const tool = called.find((one) => one !== null);
  // A model that calls a tool may announce it.
  if (tool !== undefined) found.answer = tool;
  else found.text = blocks.map(({ text }) => textOf(text) ?? "").join("");
}

function someTokens(tokens: readonly ScannedToken[] | null): readonly ScannedToken[] | null {
  return tokens !== null && tokens.length > 0 ? tokens : null;
}

/** The object at this place as text; null, and the value passed, where it is not an object. */
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

/** What was used, in the words of OpenAI, Anthropic or Bedrock. Anthropic counts what its cache served apart from the input. */
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
