import { isUtf8 } from "node:buffer";
import { FileProblem } from "../../io/files.js";
import { readChunks } from "../../io/read-chunks.js";

export interface JsonElement {
  text: string;
  /** Of its first character, counted from 1. */
  line: number;
  end: number;
  utf8: boolean;
  /** False where the file ends inside the element, or before the list is closed. */
  closed: boolean;
}

const MAX_ELEMENT_BYTES = 64 << 20;
const LF = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
/** Comma, space, tab, CR and LF. */
const BETWEEN = new Set([0x2c, 0x20, 0x09, 0x0d, LF]);

/**
 * The elements of a JSON array as text, a batch at a time, in constant memory. Only brackets and quotes are followed here; whether
 * an element is JSON is found when it is parsed.
 */
export async function* readJsonArray(path: string): AsyncGenerator<JsonElement[]> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let line = 1;
  let elementLine = 1;
  let inElement = false;
  let rest: Buffer = Buffer.alloc(0);
  let restOffset = 0;
  for await (const chunk of readChunks(path)) {
    const data = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    const batch: JsonElement[] = [];
    let start = inElement ? 0 : rest.length;
    const finish = (end: number) => {
      const bytes = data.subarray(start, end);
      batch.push({
        text: bytes.toString("utf8"),
        line: elementLine,
        end: restOffset + end,
        utf8: isUtf8(bytes),
        closed: true,
      });
      inElement = false;
      start = end;
    };
    for (let i = rest.length; i < data.length; i++) {
      const byte = data[i]!;
      if (byte === LF) line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (depth === 1 && !inElement && !BETWEEN.has(byte) && !CLOSING.has(byte)) {
        inElement = true;
        elementLine = line;
        start = i;
      }
      if (byte === QUOTE) inString = true;
      else if (OPENING.has(byte)) depth++;
      else if (CLOSING.has(byte)) {
        depth--;
        if (depth === 0 && inElement) finish(i);
        else if (depth === 1 && inElement) finish(i + 1);
      } else if (byte === 0x2c && depth === 1 && inElement) finish(i);
      if (!inElement) start = i + 1;
    }
    restOffset += start;
    rest = data.subarray(start);
    if (rest.length > MAX_ELEMENT_BYTES) throw endless(path, elementLine);
    if (batch.length) yield batch;
  }
  if (depth <= 0) return;
  // Also where the last element is whole: more of them may be missing.
  const at = inElement ? elementLine : line;
  yield [{ text: rest.toString("utf8"), line: at, end: restOffset + rest.length, utf8: isUtf8(rest), closed: false }];
}

function endless(path: string, line: number): FileProblem {
  return new FileProblem(
    "json_element",
    `${path}: the element that starts in line ${line} is longer than 64 MB`,
    "Check for a quote or a bracket that is never closed, or give the records as JSONL, one a line.",
  );
}
