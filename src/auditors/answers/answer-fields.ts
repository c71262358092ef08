import type { Generation } from "../../core/records/case.js";
import { BrokenJson, JsonCursor } from "../scan/json-cursor.js";
import { finishOf, scanChoice, scanLogprobs } from "../scan/scan-choice.js";
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
  const cursor = new JsonCursor(line);
  if (!cursor.isObject()) throw new BrokenJson("does not begin with an object");
  const found: Found = {
    ...{ names: {}, draw: null, model: null, text: null, answer: null, refusal: null, tokens: null, finish: null },
    ...{ space: "unknown", temperature: null, usage: NO_USAGE, failed: null },
  };
  scanMembers(cursor, source, found, 0);
  if (cursor.peek() !== -1) throw new BrokenJson("goes on after its end");
  return found;
}

function settle(found: Found): Fields {
  const { names, draw, model, tokens, refusal, space, temperature, usage } = found;
  // An object has lost the spelling that its tokens have.
  const spelled = found.answer !== null && tokens ? tokens.map(({ text }) => text).join("") : found.answer;
  const said = found.text ?? spelled;
  const refused = refusal !== null && (said === null || said === "");
  const text = refused ? refusal : said;
  return {
    name: NAMES.map((name) => names[name]).find((name) => name !== undefined) ?? null,
    ...{ draw, model, text, tokens, space, temperature, usage },
    finish: refused ? "refusal" : (found.finish ?? "stop"),
    failed: text === null ? found.failed : null,
  };
}

/** The members of an object, at the top of a line or inside wrappers. */
function scanMembers(cursor: JsonCursor, source: TokenSource, found: Found, depth: number): void {
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (WRAPPERS.has(key) && cursor.isObject() && depth < DEEPEST) scanMembers(cursor, source, found, depth + 1);
    else if (depth === 0 && isName(key)) nameOf(cursor, key, found);
    else if (depth === 0 && key === "draw") found.draw = cursor.number();
    else if (key === "model") {
      const model = cursor.string();
      // What the line itself says goes before what a provider wrote.
      found.model = depth === 0 ? (model ?? found.model) : firstOf(found.model, model);
    } else if (key === "text" || (key === "content" && cursor.isString())) found.text = cursor.string();
    else if (key === "answer") found.answer = objectText(cursor);
    else if (key === "refusal") found.refusal = cursor.string() || null;
    else if (key === "choices" && cursor.isList()) scanChoices(cursor, source, found);
    else if (key === "content" && cursor.isList()) scanBlocks(cursor, found);
    else if (key === "logprobs" && (cursor.isObject() || cursor.isList())) {
      const lists = { content: null as ScannedToken[] | null, refusal: null as ScannedToken[] | null };
      scanLogprobs(cursor, source, lists);
      found.tokens = someTokens(lists.content ?? lists.refusal);
    } else if (key === "finish_reason" || key === "stop_reason" || key === "stopReason") {
      found.finish = finishFrom(cursor.string());
    } else if (key === "logprob_space") found.space = spaceOf(cursor.string());
    else if (key === "temperature") found.temperature = inRange(cursor.number(), 2);
    else if (key === "usage" && cursor.isObject()) found.usage = usageOf(objectText(cursor)!);
    else if (key === "error") found.failed = firstOf(found.failed, failureText(cursor));
    else if (key === "status_code") found.failed = firstOf(found.failed, failedStatus(cursor.number()));
    else if (key === "type") found.failed = firstOf(found.failed, failedType(cursor.string()));
    else cursor.skip();
  }
}

function isName(key: string): key is (typeof NAMES)[number] {
  return (NAMES as readonly string[]).includes(key);
}

function nameOf(cursor: JsonCursor, key: (typeof NAMES)[number], found: Found): void {
  const name = cursor.string();
  if (name !== null) found.names[key] = name;
}

/** The first of a chat completion's choices. */
function scanChoices(cursor: JsonCursor, source: TokenSource, found: Found): void {
  let index = 0;
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (index++ > 0 || !cursor.isObject()) {
      cursor.skip();
      continue;
    }
    const { text, tokens, finish, failed } = scanChoice(cursor, source, 0);
    found.tokens = someTokens(tokens);
    found.finish = finish;
    if (failed !== null) found.failed = firstOf(found.failed, failed);
    else if (finish === "refusal") found.refusal = text;
    else found.text = text;
  }
}

/** Content as a list of blocks: the texts joined, else what a tool was called with. Thoughts are no part of an answer. */
function scanBlocks(cursor: JsonCursor, found: Found): void {
  let text: string | null = null;
  let called: string | null = null;
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (!cursor.isObject()) {
      cursor.skip();
      continue;
    }
    for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
      if (key === "text") text = (text ?? "") + (cursor.string() ?? "");
      else if (key === "input") called = firstOf(called, objectText(cursor));
      else if (key === "toolUse" && cursor.isObject()) {
        for (let inner = cursor.firstKey(); inner !== null; inner = cursor.nextKey()) {
          if (inner === "input") called = firstOf(called, objectText(cursor));
          else cursor.skip();
        }
      } else cursor.skip();
    }
  }
  // A model that calls a tool may announce it.
  if (called !== null) found.answer = called;
  else found.text = text ?? "";
}

/** Both are computed: reading moves the cursor. */
function firstOf(known: string | null, next: string | null): string | null {
  return known ?? next;
}

function someTokens(tokens: readonly ScannedToken[] | null): readonly ScannedToken[] | null {
  return tokens !== null && tokens.length > 0 ? tokens : null;
}

/** The object at this place as text; null, and the value passed, where it is none. */
function objectText(cursor: JsonCursor): string | null {
  const isObject = cursor.isObject();
  const start = cursor.pass();
  return isObject ? cursor.bytes.toString("utf8", start, cursor.at) : null;
}

/** Any error that is not null, in its own words. */
function failureText(cursor: JsonCursor): string | null {
  if (cursor.isString()) return cursor.string();
  const start = cursor.pass();
  const text = cursor.bytes.toString("utf8", start, cursor.at);
  return text === "null" || text === "false" ? null : text;
}

function failedStatus(status: number | null): string | null {
  return status !== null && status >= 400 ? `status ${status}` : null;
}

function failedType(type: string | null): string | null {
  return type !== null && FAILED_TYPES.has(type) ? type : null;
}

function finishFrom(reason: string | null): Generation["finish"] {
  if (reason === "refusal") return "refusal";
  if (reason === "content_filtered" || reason === "guardrail_intervened") return "filter";
  return finishOf(reason);
}

function spaceOf(text: string | null): Generation["space"] {
  return text === "raw" || text === "tempered" ? text : "unknown";
}

function inRange(value: unknown, most: number): number | null {
  return typeof value === "number" && value >= 0 && value <= most ? value : null;
}

/** What was used, in the words of OpenAI, Anthropic or Bedrock. Anthropic counts what its cache served apart from the input. */
function usageOf(text: string): Generation["usage"] {
  let usage: Record<string, unknown>;
  try {
    usage = JSON.parse(text);
  } catch {
    return NO_USAGE;
  }
  const count = (...names: string[]): number | null => {
    const value = names.map((name) => usage[name]).find((one) => one !== undefined && one !== null);
    return Number.isInteger(value) ? inRange(value, MOST_TOKENS) : null;
  };
  const details = usage.prompt_tokens_details as Record<string, unknown> | null | undefined;
  const read = count("cache_read_input_tokens", "cacheReadInputTokens");
  const written = count("cache_creation_input_tokens", "cacheWriteInputTokens");
  const input = count("prompt_tokens", "input_tokens", "inputTokens");
  return {
    input_tokens: input === null ? null : input + (read ?? 0) + (written ?? 0),
    cached_input_tokens: read ?? inRange(details?.cached_tokens, MOST_TOKENS),
    output_tokens: count("completion_tokens", "output_tokens", "outputTokens"),
    cost_usd: inRange(usage.cost, MOST_USD),
  };
}
