import { randomBytes } from "node:crypto";
import { type FileHandle, open, readdir } from "node:fs/promises";

/** How much of an answer is read at once. */
const PIECE = 64 * 1024;
const NEWLINE = 0x0a;
const KEY = /^[0-9a-f]{64}$/;
const SEGMENT = /^(\d{15}-[0-9a-f]{8})\.index$/;

/** An index record: the key's 32 bytes and where its line begins, as a double. */
export const RECORD = 40;

export function writeRecord(records: Buffer, at: number, key: Buffer, offset: number): void {
  key.copy(records, at);
  records.writeDoubleLE(offset, at + 32);
}

export const recordOffset = (records: Buffer, at: number) => records.readDoubleLE(at + 32);

export function keyBytes(key: string): Buffer {
  if (!KEY.test(key))
    throw new RangeError(`cache key: not a SHA-256; got ${JSON.stringify(key)}, expected 64 hex digits`);
  return Buffer.from(key, "hex");
}

/** The key that a line names near its beginning. */
export const keyOf = (line: Buffer) => /"key":"([0-9a-f]{64})"/.exec(line.toString("latin1", 0, 200))?.[1];

/** @param time of the oldest line in it, 15 digits, so that names sort by age */
export function segmentName(time = String(Date.now()).padStart(15, "0")): string {
  return `${time}-${randomBytes(4).toString("hex")}`;
}

/** The segments of a folder, oldest first. */
export async function segmentNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.flatMap((name) => SEGMENT.exec(name)?.[1] ?? []).sort();
}

/** The line that begins at an offset, without its end; null where the file ends before the line does. */
export async function readLine(file: FileHandle, offset: number): Promise<Buffer | null> {
  if (!Number.isFinite(offset)) return null;
  const pieces: Buffer[] = [];
  for (let at = offset; ; ) {
    const piece = Buffer.allocUnsafe(PIECE);
    const { bytesRead } = await file.read(piece, 0, PIECE, at);
    if (bytesRead === 0) return null;
    const end = piece.subarray(0, bytesRead).indexOf(NEWLINE);
    pieces.push(piece.subarray(0, end < 0 ? bytesRead : end));
    if (end >= 0) return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    at += bytesRead;
  }
}

export async function readFrom(path: string, offset: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const length = Math.max(0, (await file.stat()).size - offset);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
}

/** Lines that are written together, in memory that the next batch uses again. */
export class LineBatch {
  private memory = Buffer.allocUnsafeSlow(1 << 18);
  private used = 0;
  private readonly keys: Buffer[] = [];
  private readonly starts: number[] = [];
  private readonly waiting: (() => void)[] = [];

  /** Bytes of all lines. */
  get size(): number {
    return this.used;
  }

  get lines(): Buffer {
    return this.memory.subarray(0, this.used);
  }

  /** Adds a line, and says when the batch is done with. */
  add(key: Buffer, line: string): Promise<void> {
    // Three bytes a UTF-16 unit at the most.
    const room = this.used + 3 * line.length;
    if (room > this.memory.length) this.memory = Buffer.concat([this.lines], 2 * room);
    this.keys.push(key);
    this.starts.push(this.used);
    this.used += this.memory.write(line, this.used);
    return new Promise((done) => this.waiting.push(done));
  }

  /** Index records of lines that begin at `offset`. */
  records(offset: number): Buffer {
    const records = Buffer.alloc(this.keys.length * RECORD);
    this.each((key, start, i) => writeRecord(records, i * RECORD, key, offset + start));
    return records;
  }

  each(visit: (key: Buffer, start: number, index: number) => void): void {
    for (let i = 0; i < this.keys.length; i++) visit(this.keys[i]!, this.starts[i]!, i);
  }

  /** Empties the batch, whether it was written or not. */
  finish(): void {
    this.used = 0;
    this.keys.length = 0;
    this.starts.length = 0;
    for (const done of this.waiting.splice(0)) done();
  }
}
