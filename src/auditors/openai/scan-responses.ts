import type { JsonCursor } from "./json-cursor.js";
import { finishOf, type ScannedChoice, scanLogprobs } from "./scan-choice.js";
import type { ScannedToken, TokenSource } from "./scanned-token.js";

interface Part {
  type: string;
  text: string;
  tokens: ScannedToken[] | null;
}

/** The `output` list of the Responses form: what its messages say, as one answer. Reasoning and tool calls are no part of it. */
export function scanOutput(cursor: JsonCursor, source: TokenSource): Part[] {
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
export function joinOutput(parts: readonly Part[], reason: string | null): ScannedChoice {
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
