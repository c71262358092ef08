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
