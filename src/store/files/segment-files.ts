import { randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Number of bytes read at once. */
const PIECE = 64 * 1024;
const NEWLINE = 0x0a;
const KEY = /^[0-9a-f]{64}$/;
const SEGMENT = /^(\d{15}-[0-9a-f]{8})\.index$/;

/** Size of an index record: the key's 32 bytes and the offset of its line, as a double. */
export const RECORD = 40;

function writeRecord(records: Buffer, at: number, key: Buffer, offset: number): void {
  key.copy(records, at);
  records.writeDoubleLE(offset, at + 32);
}

const recordOffset = (records: Buffer, at: number) => records.readDoubleLE(at + 32);

export function keyBytes(key: string): Buffer {
  if (!KEY.test(key))
    throw new RangeError(`cache key: not a SHA-256; got ${JSON.stringify(key)}, expected 64 hex digits`);
  return Buffer.from(key, "hex");
}

/** The key of a line, found near its beginning. */
const keyOf = (line: Buffer) => /"key":"([0-9a-f]{64})"/.exec(line.toString("latin1", 0, 200))?.[1];

/** @param time of its oldest line, 15 digits, so that names sort by age */
export function segmentName(time = String(Date.now()).padStart(15, "0")): string {
  return `${time}-${randomBytes(4).toString("hex")}`;
}

/** The segments of a folder, oldest first. */
async function segmentNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.flatMap((name) => SEGMENT.exec(name)?.[1] ?? []).sort();
}

/** The line that begins at an offset, without its newline; null if the file ends before the line does. */
async function readLine(file: FileHandle, offset: number): Promise<Buffer | null> {
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

async function readFrom(path: string, offset: number): Promise<Buffer> {
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

/** Lines that are written together, in memory that the next batch reuses. */
export class LineBatch {
  private memory = Buffer.allocUnsafeSlow(1 << 18);
  private used = 0;
  private readonly keys: Buffer[] = [];
  private readonly starts: number[] = [];
  private readonly waiting: (() => void)[] = [];

  /** Total bytes of the lines. */
  get size(): number {
    return this.used;
  }

  get lines(): Buffer {
    return this.memory.subarray(0, this.used);
  }

  /** Adds a line; resolves when the batch has been written or abandoned. */
  add(key: Buffer, line: string): Promise<void> {
    // At most three bytes per UTF-16 unit.
    const room = this.used + 3 * line.length;
    if (room > this.memory.length) this.memory = Buffer.concat([this.lines], 2 * room);
    this.keys.push(key);
    this.starts.push(this.used);
    this.used += this.memory.write(line, this.used);
    return new Promise((done) => this.waiting.push(done));
  }

  /** Index records of the lines, the first of which begins at `offset`. */
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

/** Encodes a segment and an offset in one number: 8,192 segments of a terabyte. */
const SEGMENT_SPAN = 2 ** 40;
const MAX_SEGMENTS = 2 ** 13;

interface Segment {
  name: string;
  data: FileHandle;
  /** Number of index bytes read so far. */
  indexed: number;
}

/** Finds lines by key in the segments of a folder. */
export class SegmentReader {
  private readonly places = new Map<string, number>();
  private readonly segments: Segment[] = [];

  constructor(private readonly folder: string) {}

  /** Adds a segment without reading its index; returns its number. */
  async add(name: string, data: FileHandle): Promise<number> {
    if (this.segments.length >= MAX_SEGMENTS) {
      await data.close();
      throw new Error(`${this.folder} has ${MAX_SEGMENTS} segments; delete it`);
    }
    return this.segments.push({ name, data, indexed: 0 }) - 1;
  }

  has(key: Buffer): boolean {
    return this.places.has(placeKey(key));
  }

  /** The line of a key; null: there is no complete one. */
  async line(key: Buffer): Promise<Buffer | null> {
    const place = this.places.get(placeKey(key));
    return place === undefined ? null : this.lineAt(place);
  }

  /** The line of every key, one at a time. */
  async *lines(): AsyncGenerator<Buffer> {
    for (const place of this.places.values()) {
      const line = await this.lineAt(place);
      if (line) yield line;
    }
  }

  note(key: Buffer, segment: number, offset: number): void {
    this.places.set(placeKey(key), segment * SEGMENT_SPAN + offset);
  }

  /** Reads additions to all indexes since the last call, oldest segment first. `except`: a segment whose offsets its writer records. */
  async readIndexes(except: number | null): Promise<void> {
    for (const name of await segmentNames(this.folder)) {
      const known = this.segments.findIndex((segment) => segment.name === name);
      if (known >= 0 && known === except) continue;
      await (known < 0 ? this.open(name) : this.readIndex(known)).catch(() => {});
    }
  }

  /** Adds a segment, and reads its index and any lines after the last indexed one, which a kill between the two writes leaves. */
  async open(name: string): Promise<void> {
    const segment = await this.add(name, await open(join(this.folder, `${name}.answers`), "r"));
    await this.readTail(segment, await this.readIndex(segment));
  }

  async close(): Promise<void> {
    for (const { data } of this.segments) await data.close().catch(() => {});
    this.segments.length = 0;
    this.places.clear();
  }

  private lineAt(place: number): Promise<Buffer | null> {
    const { data } = this.segments[Math.floor(place / SEGMENT_SPAN)]!;
    return readLine(data, place % SEGMENT_SPAN);
  }

  /** Returns the offset of the last indexed line; -1 if absent. */
  private async readIndex(at: number): Promise<number> {
    const segment = this.segments[at]!;
    const records = await readFrom(join(this.folder, `${segment.name}.index`), segment.indexed);
    const whole = records.length - (records.length % RECORD);
    let last = -1;
    for (let i = 0; i < whole; i += RECORD) {
      const offset = recordOffset(records, i);
      if (!(offset >= 0 && offset < SEGMENT_SPAN && Number.isInteger(offset))) continue;
      this.note(records.subarray(i, i + 32), at, offset);
      last = offset;
    }
    segment.indexed += whole;
    return last;
  }

  private async readTail(at: number, last: number): Promise<void> {
    const { data } = this.segments[at]!;
    let offset = last < 0 ? 0 : last + ((await readLine(data, last))?.length ?? Infinity) + 1;
    for (let line = await readLine(data, offset); line !== null; line = await readLine(data, offset)) {
      const key = keyOf(line);
      if (key) this.note(keyBytes(key), at, offset);
      offset += line.length + 1;
    }
  }
}

/** Half of the key is enough to find a line, which contains the whole key. */
const placeKey = (key: Buffer) => key.toString("latin1", 0, 16);

/** Segments below this size are merged if at least `MERGE_AT` of them have not been written to for some time. */
const SMALL = 16 * 2 ** 20;
const MERGE_AT = 8;
const IDLE_MS = 3_600_000;

/** Merges many small segments that are no longer written to. Never fails: segments that cannot be merged are left. */
export async function mergeSegments(folder: string): Promise<void> {
  try {
    await sweep(folder);
    const small: string[] = [];
    for (const name of await segmentNames(folder)) {
      const { size, mtimeMs } = await stat(join(folder, `${name}.answers`));
      if (size < SMALL && Date.now() - mtimeMs > IDLE_MS) small.push(name);
    }
    if (small.length < MERGE_AT) return;
    const reader = new SegmentReader(folder);
    try {
      for (const name of small) await reader.open(name);
      await copyLines(reader, join(folder, segmentName(small[0]!.slice(0, 15))));
    } finally {
      await reader.close();
    }
    for (const name of small) {
      await rm(join(folder, `${name}.index`), { force: true });
      await rm(join(folder, `${name}.answers`), { force: true });
    }
  } catch {
    // Another process is merging the same ones, or the folder is read-only.
  }
}

/** A new segment with every known line. Its index gets its final name when it is complete. */
async function copyLines(reader: SegmentReader, target: string): Promise<void> {
  const data = await open(`${target}.answers`, "ax");
  const index = await open(`${target}.index.part`, "wx");
  let end = 0;
  for await (const line of reader.lines()) {
    const key = keyOf(line);
    if (!key) continue;
    const record = Buffer.alloc(RECORD);
    writeRecord(record, 0, keyBytes(key), end);
    await writeWhole(data, Buffer.concat([line, Buffer.from("\n")]));
    await writeWhole(index, record);
    end += line.length + 1;
  }
  await data.sync();
  await index.sync();
  await data.close();
  await index.close();
  await rename(`${target}.index.part`, `${target}.index`);
}

/** Deletes what a killed merge left: an index without its final name, answers without an index. */
async function sweep(folder: string): Promise<void> {
  const names = new Set(await readdir(folder).catch(() => [] as string[]));
  for (const name of names) {
    const [, stem, end] = /^(\d{15}-[0-9a-f]{8})\.(answers|index\.part)$/.exec(name) ?? [];
    if (stem === undefined || (end === "answers" && names.has(`${stem}.index`))) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > IDLE_MS) await rm(path, { force: true });
  }
}
