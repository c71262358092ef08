import { isUtf8 } from "node:buffer";
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const NEWLINE = 0x0a;

/** A line of bytes, without its end, its CR and a BOM before the first one. */
export interface ByteLine {
  /** Of a line that is too long, one byte more than the longest. */
  bytes: Buffer;
  /** Counted from 1; empty lines count. */
  number: number;
  /** Where `bytes` starts in the input. */
  offset: number;
  /** Of the whole line, as far as it was not dropped above. */
  length: number;
  /** False for a last line without a newline: it may be torn. */
  ended: boolean;
}

/** Cuts chunks of bytes into lines, all that a chunk completes at once. Memory does not grow with a line beyond `longest` bytes. */
export class LineSplitter {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private number = 0;
  private start = 0;
  private at = 0;

  constructor(private readonly longest = Number.POSITIVE_INFINITY) {}

  push(chunk: Buffer): ByteLine[] {
    const lines: ByteLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      lines.push(this.line(chunk.subarray(from, end), true));
      from = end + 1;
    }
    // A copy: the chunk may be overwritten by the next one.
    if (from < chunk.length) this.hold(Buffer.from(this.part(chunk.subarray(from))), chunk.length - from);
    return lines;
  }

  /** The last line, if it has no newline. */
  end(): ByteLine[] {
    return this.at > this.start ? [this.line(Buffer.alloc(0), false)] : [];
  }

  private part(piece: Buffer): Buffer {
    const room = this.longest + 1 - this.heldBytes;
    return piece.length > room ? piece.subarray(0, Math.max(0, room)) : piece;
  }

  private hold(part: Buffer, length: number): void {
    if (part.length > 0) this.held.push(part);
    this.heldBytes += part.length;
    this.at += length;
  }

  private line(piece: Buffer, ended: boolean): ByteLine {
    const part = this.part(piece);
    const bytes = this.held.length === 0 ? part : Buffer.concat([...this.held, part]);
    this.at += piece.length;
    const whole = this.at - this.start;
    const isCut = whole > bytes.length;
    const from = this.start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const to = !isCut && bytes.length > from && bytes[bytes.length - 1] === 0x0d ? bytes.length - 1 : bytes.length;
    const found: ByteLine = {
      bytes: bytes.subarray(from, to),
      number: ++this.number,
      offset: this.start + from,
      length: isCut ? whole - from : to - from,
      ended,
    };
    this.held = [];
    this.heldBytes = 0;
    if (ended) this.at++;
    this.start = this.at;
    return found;
  }
}

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

/**
 * The lines of a file, a batch at a time, in constant memory. Empty lines are skipped but counted. DuckDB's own JSONL reader is not used where rows
 * must be told apart: a torn line there becomes a row of NULLs.
 */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter();
  for await (const chunk of readChunks(path, CHUNK_BYTES)) {
    const batch = textsOf(splitter.push(chunk));
    if (batch.length > 0) yield batch;
  }
  const last = textsOf(splitter.end());
  if (last.length > 0) yield last;
}

function textsOf(lines: readonly ByteLine[]): Line[] {
  const batch: Line[] = [];
  for (const { bytes, number, offset, ended } of lines) {
    const text = bytes.toString("utf8");
    if (text.trim() !== "") batch.push({ text, number, offset, utf8: isUtf8(bytes), ended });
  }
  return batch;
}

/** The bytes of a file, a piece at a time; each buffer is the caller's to keep. */
export async function* readChunks(path: string, bytes = 1 << 20): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  try {
    yield* chunksOf(file, bytes);
  } finally {
    await file.close();
  }
}

/** The same of a file that is open. */
export async function* chunksOf(file: FileHandle, bytes = 1 << 20): AsyncGenerator<Buffer> {
  for (let offset = 0; ; ) {
    const chunk = Buffer.allocUnsafe(bytes);
    const { bytesRead } = await file.read(chunk, 0, bytes, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

const LONGEST = 1 << 20;

/**
 * Whether the last line of a file of records was cut off, by a killed process or a full disk. Such a line is passed over when the file is
 * read, since it may still be in writing; but a caller that counts decisions should know.
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
  "Its last line is cut off and passed over; import the file it came from again, or fix the line.";
