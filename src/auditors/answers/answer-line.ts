import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Generation } from "../../core/records/generation.js";
import type { Ask } from "../auditor.js";
import { spellOut } from "../openai/batch-line.js";
import { BrokenJson, JsonCursor } from "../openai/json-cursor.js";
import { type ScannedUsage, scanUsage } from "../openai/scan-body.js";
import { finishOf, scanLogprobs } from "../openai/scan-choice.js";
import type { ScannedToken, TokenSource } from "../openai/scanned-token.js";
import { jsonSchema, type OutputFormat } from "../output-format.js";

/** A key, or a key with the number of a draw. Letters, digits and hyphens, so that every batch service takes it for an id. */
const KEY = /^(p1-[0-9a-f]{32})(?:-([1-9]\d{0,8}))?$/;

/**
 * What identifies a question: SHA-256 over the two messages and the schema of the answer. Temperature, seed and token limits are left out, because a
 * gateway may not let a caller choose them: an answer counts for the question that it answers, however it was made. Only an arm that sets a
 * temperature has keys of its own: its answers must not be those of another arm.
 */
export function promptKey({ prompt, variant }: Pick<Ask, "prompt" | "variant">): string {
  const { system, shared, own, format } = prompt!;
  const hash = createHash("sha256");
  const parts = [system, `${shared}${own}`, schemaText(format), ...(variant === undefined ? [] : [variant])];
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return `p1-${hash.digest("hex").slice(0, 32)}`;
}

/** The name of one answer to a question. Draws are counted from 1. */
export function answerId(key: string, draw: number): string {
  return `${key}-${draw}`;
}

/** The question, and the draw where it is named; null: not a key of ours. */
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

/** What a line says of itself, without its answer. */
export interface LineHead {
  key: string;
  /** null: the next free one. */
  draw: number | null;
  model: string | null;
  logprobs: boolean;
  /** The call failed, in these words: there is no answer yet. */
  failed: string | null;
}

/** Why a line cannot be used: it cannot be read, or its key is not one of ours. */
export type LineFault = "malformed" | "foreign";

/** Members of a line, as far as they were read. */
interface Fields {
  name: string | null;
  draw: number | null;
  model: string | null;
  text: string | null;
  answer: string | null;
  refusal: string | null;
  failed: string | null;
  finish: string | null;
  space: Generation["space"];
  temperature: number | null;
  usage: ScannedUsage | null;
  logprobs: boolean;
  tokens: readonly ScannedToken[] | null;
}

const MOST_DRAWS = 1_000_000;
const LONGEST_NAME = 200;

/** Which question a line answers. */
export function readHead(line: Buffer): LineHead | LineFault {
  if (!isUtf8(line)) return "malformed";
  try {
    return headOf(scanFields(line, null));
  } catch (cause) {
    if (cause instanceof BrokenJson) return "malformed";
    throw cause;
  }
}

/** The answer of a line; null: it holds none to this question. */
export function readAnswer(
  line: Buffer,
  key: string,
  asked: { temperature: number; model: string },
): Generation | null {
  let fields: Fields;
  try {
    fields = scanTwice(line);
  } catch (cause) {
    if (cause instanceof BrokenJson) return null;
    throw cause;
  }
  const head = headOf(fields);
  if (typeof head === "string" || head.key !== key || head.failed !== null) return null;
  const { tokens, refusal, usage } = fields;
  // An object has lost the spelling that its tokens have.
  const spelled = fields.answer !== null && tokens ? tokens.map((token) => token.text).join("") : fields.answer;
  const said = fields.text ?? spelled;
  const refused = refusal !== null && refusal !== "" && (said === null || said === "");
  const text = refused ? refusal : (said ?? "");
  return {
    text,
    tokens,
    ...(tokens ? { joined: spellOut(tokens, text) } : {}),
    finish: refused ? "refusal" : finishOf(fields.finish),
    space: fields.space,
    temperature: fields.temperature ?? asked.temperature,
    support: "top_k",
    model: head.model ?? asked.model,
    usage: {
      input_tokens: usage?.input ?? null,
      cached_input_tokens: usage?.cached ?? null,
      output_tokens: usage?.output ?? null,
      cost_usd: usage?.cost ?? null,
    },
  };
}

function headOf(fields: Fields): LineHead | LineFault {
  const { name, draw, model, logprobs, failed } = fields;
  const answered = [fields.text, fields.answer, fields.refusal].some((said) => said !== null);
  const badDraw = draw !== null && !(Number.isInteger(draw) && draw >= 1 && draw <= MOST_DRAWS);
  if (name === null || badDraw || (!answered && failed === null)) return "malformed";
  const known = parseKey(name);
  if (known === null) return "foreign";
  return {
    key: known.key,
    draw: draw ?? known.draw,
    model: model?.trim().slice(0, LONGEST_NAME) || null,
    logprobs,
    failed: answered ? null : failed,
  };
}

/** Lists of candidates are jumped over; where one is written in another form than usual, the line is read again without. */
function scanTwice(line: Buffer): Fields {
  const source = { body: line, trueBytes: true, secrets: [] };
  try {
    return scanFields(line, { ...source, jump: true });
  } catch (cause) {
    if (!(cause instanceof BrokenJson)) throw cause;
    return scanFields(line, { ...source, jump: false });
  }
}

/** `source` null: tokens are not read. */
function scanFields(line: Buffer, source: TokenSource | null): Fields {
  const cursor = new JsonCursor(line);
  if (!cursor.isObject()) throw new BrokenJson("does not begin with an object");
  const found = { content: null as ScannedToken[] | null, refusal: null as ScannedToken[] | null };
  const fields: Fields = {
    ...{ name: null, draw: null, model: null, text: null, answer: null, refusal: null, failed: null, finish: null },
    ...{ space: "unknown", temperature: null, usage: null, logprobs: false, tokens: null },
  };
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "key") fields.name = cursor.string();
    else if (key === "id") fields.name ??= cursor.string();
    else if (key === "draw") fields.draw = cursor.number();
    else if (key === "model") fields.model = cursor.string();
    else if (key === "text") fields.text = cursor.string();
    else if (key === "answer") fields.answer = objectText(cursor);
    else if (key === "refusal") fields.refusal = cursor.string();
    else if (key === "error") fields.failed = failureText(cursor);
    else if (key === "finish_reason") fields.finish = cursor.string();
    else if (key === "logprob_space") fields.space = spaceOf(cursor.string());
    else if (key === "temperature") fields.temperature = temperatureOf(cursor.number());
    else if (key === "usage" && cursor.isObject()) fields.usage = scanUsage(cursor);
    else if (key === "logprobs" && (cursor.isObject() || cursor.isList())) {
      fields.logprobs = true;
      if (source) scanLogprobs(cursor, source, found);
      else cursor.skip();
    } else cursor.skip();
  }
  if (cursor.peek() !== -1) throw new BrokenJson("goes on after its end");
  const tokens = found.content ?? found.refusal;
  fields.tokens = tokens !== null && tokens.length > 0 ? tokens : null;
  return fields;
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

function spaceOf(text: string | null): Generation["space"] {
  return text === "raw" || text === "tempered" ? text : "unknown";
}

function temperatureOf(value: number | null): number | null {
  return value !== null && value >= 0 && value <= 2 ? value : null;
}
