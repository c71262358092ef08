import { isUtf8 } from "node:buffer";
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { fileError } from "./files.js";

const NEWLINE = 0x0a;

/** A line as bytes, without its line break (CR included) and without a BOM at the start of the input. */
export interface ByteLine {
  /** Of a line that is too long: the first `longest` + 1 bytes. */
  bytes: Buffer;
  /** Counted from 1, empty lines included. */
  number: number;
  /** Where `bytes` starts in the input. */
  offset: number;
  /** Bytes of the whole line, including those that `bytes` leaves out of a line that is too long. */
  length: number;
  /** False for a last line without a newline, which may be torn. */
  ended: boolean;
}

/** Splits chunks of bytes into lines; `push` returns all lines that a chunk completes. Memory does not grow with a line beyond `longest` bytes. */
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
  /** False for a last line without a newline, which may be torn. */
  ended: boolean;
}

/** Small, so that objects made from a batch die young: with 1 MB batches a run of 100,000 audits kept 100 MB more of dead objects. */
const CHUNK_BYTES = 1 << 16;

/**
 * Reads the lines of a file in batches, in constant memory. Empty lines are skipped but counted. DuckDB's own JSONL reader is not
 * used where rows must be told apart: it turns a torn line into a row of NULLs.
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

/** Reads a file in pieces. The caller may keep each buffer. */
export async function* readChunks(path: string, bytes = 1 << 20): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  try {
    yield* chunksOf(file, bytes);
  } finally {
    await file.close();
  }
}

/** `readChunks` for an open file. */
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
 * Whether the last line of a file of records was cut off, by a killed process or a full disk. Readers skip such a line, since it
 * may still be in writing, but a caller that counts decisions should know.
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

const SYNC_ROWS = 100;
const SYNC_MS = 200;

/**
 * An append-only file of lines. A write that has returned survives the process; a machine crash may lose the last 100 rows or 200
 * ms. A line that a crash left half-written is removed when the file is opened.
 */
export class LineLog {
  readonly path: string;
  private readonly file: number;
  private size: number;
  /** Reused: a joined string per batch would be promoted to the old generation and stay there for long. */
  private buffer: Buffer = Buffer.alloc(1 << 18);
  private unsynced = 0;
  private lastSync = performance.now();
  private syncing = false;

  constructor(path: string) {
    this.path = path;
    try {
      this.file = openSync(path, "a+");
      this.size = cutTornTail(this.file);
    } catch (cause) {
      throw fileError(cause, path);
    }
  }

  /** Byte offset at which the next line will start. */
  get end(): number {
    return this.size;
  }

  /** Writes lines in one go and returns the offset at which each ends. */
  append(lines: readonly string[]): number[] {
    const ends: number[] = [];
    let used = 0;
    for (const line of lines) {
      // At most three bytes per UTF-16 unit, plus the newline.
      const room = used + 3 * line.length + 1;
      if (room > this.buffer.length) this.buffer = Buffer.concat([this.buffer.subarray(0, used)], 2 * room);
      used += this.buffer.write(line, used, "utf8");
      this.buffer[used++] = 0x0a;
      ends.push(this.size + used);
    }
    try {
      for (let written = 0; written < used; ) written += writeSync(this.file, this.buffer, written, used - written);
    } catch (cause) {
      try {
        ftruncateSync(this.file, this.size);
      } catch {}
      throw fileError(cause, this.path);
    }
    this.size += used;
    this.unsynced += lines.length;
    if (this.unsynced >= SYNC_ROWS || performance.now() - this.lastSync >= SYNC_MS) this.startSync();
    return ends;
  }

  /** Syncs run in the background, one at a time: waiting for each would make the disk set the pace of the run. */
  private startSync(): void {
    if (this.syncing) return;
    this.syncing = true;
    this.unsynced = 0;
    fdatasync(this.file, () => {
      this.syncing = false;
      this.lastSync = performance.now();
    });
  }

  read(offset: number, length: number, into: Buffer): void {
    readSync(this.file, into, 0, length, offset);
  }

  async close(): Promise<void> {
    // Do not close the descriptor while a sync is still running.
    while (this.syncing) await new Promise((resolve) => setImmediate(resolve));
    fdatasyncSync(this.file);
    closeSync(this.file);
  }
}

function cutTornTail(file: number): number {
  const size = fstatSync(file).size;
  const buffer = Buffer.alloc(1 << 16);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - buffer.length);
    readSync(file, buffer, 0, end - start, start);
    const newline = buffer.subarray(0, end - start).lastIndexOf(0x0a);
    if (newline >= 0) {
      const keep = start + newline + 1;
      if (keep < size) ftruncateSync(file, keep);
      return keep;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(file, 0);
  return 0;
}
