import type { Generation } from "../../core/records/case.js";
import type { JsonCursor } from "./json-cursor.js";
import { type ScannedToken, scanTokens, type TokenSource, zipTokens } from "./scanned-token.js";

/** One answer of a body. */
export interface ScannedChoice {
  index: number;
  text: string;
  /** null: the server gave no probabilities. */
  tokens: readonly ScannedToken[] | null;
  finish: Generation["finish"];
  /** The server's words where it broke off this answer by itself. */
  failed: string | null;
}

/** Lists of tokens as they were found; at most one of them belongs to the text. */
interface FoundTokens {
  content: ScannedToken[] | null;
  refusal: ScannedToken[] | null;
}

/** An item of `choices`, in chat form or in the older form with `text` and flat lists. */
export function scanChoice(cursor: JsonCursor, source: TokenSource, position: number): ScannedChoice {
  const found: FoundTokens = { content: null, refusal: null };
  let raw: FoundTokens | null = null;
  let index = position;
  let message = { content: null as string | null, refusal: null as string | null };
  let legacy: string | null = null;
  let reason: string | null = null;
  let failed: string | null = null;
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "index") index = indexOf(cursor.number()) ?? position;
    else if (key === "message" && cursor.isObject()) message = scanMessage(cursor);
    else if (key === "text") legacy = cursor.string();
    else if (key === "finish_reason") reason = cursor.string();
    else if (key === "logprobs") scanLogprobs(cursor, source, found);
    else if (key === "raw_output" && cursor.isObject()) raw = scanRawOutput(cursor, source);
    else if (key === "error" && cursor.isObject()) failed = scanErrorMessage(cursor);
    else cursor.skip();
  }
  const answer = message.content ?? legacy;
  const refused = message.refusal !== null && message.refusal !== "" && (answer === null || answer === "");
  const tokens = refused ? found.refusal : (found.content ?? raw?.content ?? null);
  return {
    index,
    text: refused ? message.refusal! : (answer ?? ""),
    tokens: tokens !== null && tokens.length > 0 ? tokens : null,
    finish: refused ? "refusal" : finishOf(reason),
    failed: failed ?? (reason === "error" ? "the answer broke off with an error" : null),
  };
}

function indexOf(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

export function finishOf(reason: string | null): Generation["finish"] {
  if (reason === "length" || reason === "max_tokens" || reason === "max_output_tokens" || reason === "model_length")
    return "length";
  if (reason === "content_filter") return "filter";
  return "stop";
}

function scanMessage(cursor: JsonCursor): { content: string | null; refusal: string | null } {
  let content: string | null = null;
  let refusal: string | null = null;
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "content") content = cursor.isList() ? scanParts(cursor) : cursor.string();
    else if (key === "refusal") refusal = cursor.string();
    else cursor.skip();
  }
  return { content, refusal };
}

/** Content as a list of parts: the texts joined. */
function scanParts(cursor: JsonCursor): string {
  let joined = "";
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (!cursor.isObject()) {
      joined += cursor.string() ?? "";
      continue;
    }
    let type = "text";
    let text = "";
    for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
      if (key === "type") type = cursor.string() ?? type;
      else if (key === "text") text = cursor.string() ?? "";
      else cursor.skip();
    }
    if (type === "text" || type === "output_text") joined += text;
  }
  return joined;
}

/** `logprobs`: lists of objects under `content` and `refusal`, a bare list of them, or three flat lists side by side. */
export function scanLogprobs(cursor: JsonCursor, source: TokenSource, found: FoundTokens): void {
  if (cursor.isList()) {
    found.content = scanTokens(cursor, source);
    return;
  }
  if (!cursor.isObject()) {
    cursor.skip();
    return;
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
}

function readList<T>(cursor: JsonCursor, read: () => T): T[] {
  const items: T[] = [];
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) items.push(read());
  return items;
}

/** Fireworks keeps full token data beside the answer. */
function scanRawOutput(cursor: JsonCursor, source: TokenSource): FoundTokens {
  const found: FoundTokens = { content: null, refusal: null };
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "completion_logprobs") scanLogprobs(cursor, source, found);
    else cursor.skip();
  }
  return found;
}

function scanErrorMessage(cursor: JsonCursor): string {
  let message: string | null = null;
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "message") message = cursor.string();
    else cursor.skip();
  }
  return message ?? "the answer broke off with an error";
}
