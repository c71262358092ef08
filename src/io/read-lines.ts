import { isUtf8 } from "node:buffer";
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";

export interface Line {
  text: string;
  /** Counted from 1. */
  number: number;
  /** Where the line starts in the file, in bytes. */
  offset: number;
  /** False where the bytes are not UTF-8; `text` then has replacement characters. */
  utf8: boolean;
  /** False for a last line without a newline: it may be torn. */
  ended: boolean;
}

/** Small, so that what is made of a batch dies young: with 1 MB batches a run of 100,000 audits kept 100 MB more of dead objects. */
const CHUNK_BYTES = 1 << 16;
const NEWLINE = 0x0a;

/**
 * The lines of a file, a batch at a time, in constant memory. A leading BOM and a trailing CR are dropped; empty lines are skipped
 * but counted. DuckDB's own JSONL reader is not used where rows must be told apart: a torn line there becomes a row of NULLs.
 */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  const file = await open(path, "r");
  try {
    let rest: Buffer = Buffer.alloc(0);
    let restOffset = 0;
    let number = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, restOffset + rest.length);
      const data = rest.length ? Buffer.concat([rest, chunk.subarray(0, bytesRead)]) : chunk.subarray(0, bytesRead);
      const batch: Line[] = [];
      let start = 0;
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
        const line = toLine(data.subarray(start, end), ++number, restOffset + start, true);
        if (line) batch.push(line);
        start = end + 1;
      }
      rest = data.subarray(start);
      restOffset += start;
      if (bytesRead === 0) {
        const line = toLine(rest, ++number, restOffset, false);
        if (line) batch.push(line);
        if (batch.length) yield batch;
        return;
      }
      if (batch.length) yield batch;
    }
  } finally {
    await file.close();
  }
}

function toLine(bytes: Buffer, number: number, offset: number, ended: boolean): Line | null {
  let from = 0;
  let to = bytes.length;
  if (number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) from = 3;
  if (to > from && bytes[to - 1] === 0x0d) to--;
  const inner = bytes.subarray(from, to);
  const text = inner.toString("utf8");
  if (text.trim() === "") return null;
  return { text, number, offset, utf8: isUtf8(inner), ended };
}

const LONGEST = 1 << 20;

/**
 * Whether the last line of a file of records was cut off, by a killed process or a full disk. Such a line is passed over when the file is
 * read, since somebody may still be writing it; but whoever counts decisions should be told.
 */
export function hasTornTail(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, LONGEST));
    readSync(file, tail, 0, tail.length, size - tail.length);
    const last = tail.subarray(tail.lastIndexOf(0x0a) + 1).toString("utf8");
    if (last.trim() === "") return false;
    JSON.parse(last);
    return false;
  } catch (cause) {
    if (cause instanceof SyntaxError) return true;
    throw cause;
  } finally {
    closeSync(file);
  }
}

export const TORN_REMEDY =
  "Its last line is cut off and passed over; import the file it came from again, or mend the line.";
