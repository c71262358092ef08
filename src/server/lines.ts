import type { Readable } from "node:stream";
import { LineSplitter } from "../io/read-lines.js";
import { hasDoubledKeys } from "../measures/gate/route/unsafe-keys.js";

/** The longest line that is read, in bytes. */
const LONGEST_LINE = 1 << 20;

/**
 * Answers a stream of JSON lines with one: a line for each line that is not empty, in their order, so many lines at a time. A line that is not JSON,
 * is too long or has a key twice comes as undefined, and is answered too.
 * @param ahead how many further parts may be under way while one is answered
 * @param prompt answer what has arrived before more is read, for callers that wait for an answer before they send the next line
 */
export async function* answerLines(
  input: Readable,
  { most, prompt = false, ahead = 0 }: { most: number; prompt?: boolean; ahead?: number },
  answer: (values: unknown[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  const lines = new LineSplitter(LONGEST_LINE);
  let waiting: unknown[] = [];
  const under: Promise<string>[] = [];
  const begin = () => {
    const text = answer(waiting).then((all) => all.map((line) => `${line}\n`).join(""));
    // It is waited for in its turn.
    text.catch(() => {});
    under.push(text);
    waiting = [];
  };
  try {
    for await (const chunk of input) {
      for (const { bytes } of lines.push(chunk)) {
        if (bytes.length > 0) waiting.push(parsed(bytes));
        if (waiting.length >= most) begin();
        while (under.length > ahead) yield await under.shift()!;
      }
      if (prompt && waiting.length > 0) begin();
      while (under.length > (prompt ? 0 : ahead)) yield await under.shift()!;
    }
    for (const { bytes } of lines.end()) if (bytes.length > 0) waiting.push(parsed(bytes));
    if (waiting.length > 0) begin();
    while (under.length > 0) yield await under.shift()!;
  } finally {
    await Promise.allSettled(under);
  }
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length > LONGEST_LINE) return undefined;
  try {
    const text = bytes.toString("utf8");
    const value: unknown = JSON.parse(text);
    return hasDoubledKeys(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}
