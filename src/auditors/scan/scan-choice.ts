import type { Generation } from "../../core/records/case.js";
import { isMembers, type JsonCursor, type Members, membersOf, type Readers, textOf } from "./json-cursor.js";
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
export interface FoundTokens {
  content: ScannedToken[] | null;
  refusal: ScannedToken[] | null;
}

/** Reads tokens where a server writes them: `logprobs`, or what Fireworks keeps in `raw_output`. */
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

/** Content as a list of parts: the texts joined, without thoughts. */
function joinParts(parts: readonly unknown[]): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    const { type, text } = membersOf(part);
    return /^(?:output_)?text$/.test(textOf(type) ?? "text") ? (textOf(text) ?? "") : "";
  });
  return texts.join("");
}

/** `logprobs`: lists of objects under `content` and `refusal`, a bare list of them, or three flat lists side by side. */
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
