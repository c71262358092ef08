import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Generation } from "../domain/generation.js";
import { trimGeneration } from "../signals/trim-generation.js";
import { fileError } from "./files.js";
import { encodeGeneration, generationFromJson } from "./generation-codec.js";

/** Answers of earlier runs, so that nobody pays twice for the same question. Losing it costs money, never a result. */
export interface ResponseCache {
  /** The answer kept under a key; null if there is none that can be read. Never fails. */
  get(key: string): Promise<Generation | null>;
  /**
   * Keeps an answer, unless it was cut off, refused or filtered. Never fails: the first write that does not succeed ends all writing,
   * with one message; what is there can still be read.
   */
  put(key: string, generation: Generation): Promise<void>;
  /** Waits for writes that are under way. */
  close(): Promise<void>;
}

/** Changes when `trimGeneration` keeps more than before, or a kept answer could be read as something else. */
const VERSION = 1;
/** Bytes that wait for a slow disk; more answers are not kept, because they would fill the memory. */
const MAX_PENDING = 32 * 2 ** 20;
/** An index record: the key's 32 bytes and where its line begins, as a double. */
const RECORD = 40;
/** How much of an answer is read at once. */
const PIECE = 64 * 1024;
/** How often a miss looks for what other processes have written. */
const REFRESH_MS = 5000;
/** Segments below this size are merged, once there are so many that nobody has written to for so long. */
const SMALL = 16 * 2 ** 20;
const MERGE_AT = 8;
const IDLE_MS = 3_600_000;
/** A place is a segment and an offset in one number: 8,192 segments of a terabyte. */
const SEGMENT_SPAN = 2 ** 40;
const MAX_SEGMENTS = 2 ** 13;

const KEY = /^[0-9a-f]{64}$/;
const SEGMENT = /^(\d{15}-[0-9a-f]{8})\.index$/;
const NEWLINE = 0x0a;

interface Segment {
  name: string;
  data: FileHandle;
  /** Bytes of the index that have been read. */
  indexed: number;
}

interface Waiting {
  key: Buffer;
  line: Buffer;
  done: () => void;
}

/**
 * A folder of append-only segments, one for each process that writes: `<time>-<random>.answers` has one JSON line an answer, and
 * `<…>.index` where each line begins. A batch of lines is written before its index records, and nothing is synced. So a kill costs at
 * most the index records of the last batch, whose lines are found again by reading the tail; a crash of the machine may leave a record
 * that points at something else, and then the key in the line differs and the answer counts as absent. Small segments that nobody
 * writes to any more are merged when the cache is opened: the merged index gets its name last, so a kill leaves doubles and no gap.
 * Measured on answers of 200 tokens with 20 candidates: 17 kB each; see `bench -- calls`.
 */
export function openResponseCache(folder: string, tell: (message: string) => void = () => {}): ResponseCache {
  return new LoggedCache(folder, tell);
}

class LoggedCache implements ResponseCache {
  private readonly places = new Map<string, number>();
  private readonly segments: Segment[] = [];
  private loading: Promise<void> | null = null;
  private loadedAt = 0;
  private own: { data: FileHandle; index: FileHandle; segment: number; end: number } | null = null;
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private writing: Promise<void> | null = null;
  private writable = true;

  constructor(
    private readonly folder: string,
    private readonly tell: (message: string) => void,
  ) {}

  async get(key: string): Promise<Generation | null> {
    const place = placeKey(keyBytes(key));
    try {
      if (!this.places.has(place)) await this.refresh();
      const at = this.places.get(place);
      if (at === undefined) return null;
      const { data } = this.segments[Math.floor(at / SEGMENT_SPAN)]!;
      const line = await readLine(data, at % SEGMENT_SPAN);
      return line === null ? null : readEntry(key, line);
    } catch {
      return null;
    }
  }

  async put(key: string, generation: Generation): Promise<void> {
    const bytes = keyBytes(key);
    if (!this.writable || generation.finish !== "stop" || this.waitingBytes > MAX_PENDING) return;
    let line: Buffer;
    try {
      line = Buffer.from(entryText(key, generation));
    } catch (cause) {
      return this.stopWriting(cause);
    }
    await new Promise<void>((done) => {
      this.waiting.push({ key: bytes, line, done });
      this.waitingBytes += line.length;
      this.writing ??= this.writeAll();
    });
  }

  async close(): Promise<void> {
    await this.writing;
    await this.loading?.catch(() => {});
    await this.own?.index.close();
    for (const { data } of this.segments) await data.close().catch(() => {});
    this.own = null;
    this.segments.length = 0;
    this.places.clear();
    this.loading = null;
    this.loadedAt = 0;
  }

  /** Writes what waits, batch after batch. An answer can be read from the moment its batch is in the file. */
  private async writeAll(): Promise<void> {
    // What is put in the same turn belongs to one batch.
    await null;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      this.waitingBytes = 0;
      try {
        if (this.writable) await this.writeBatch(batch);
      } catch (cause) {
        this.stopWriting(cause);
      }
      for (const { done } of batch) done();
    }
    this.writing = null;
  }

  private async writeBatch(batch: readonly Waiting[]): Promise<void> {
    const own = await this.ownSegment();
    const records = Buffer.alloc(batch.length * RECORD);
    let end = own.end;
    batch.forEach(({ key, line }, i) => {
      key.copy(records, i * RECORD);
      records.writeDoubleLE(end, i * RECORD + 32);
      end += line.length;
    });
    await writeWhole(own.data, Buffer.concat(batch.map(({ line }) => line)));
    for (let i = 0; i < batch.length; i++) {
      this.places.set(placeKey(batch[i]!.key), own.segment * SEGMENT_SPAN + records.readDoubleLE(i * RECORD + 32));
    }
    own.end = end;
    await writeWhole(own.index, records);
    this.segments[own.segment]!.indexed += records.length;
  }

  /** The segment this process writes to; another one where it was deleted in the meantime. */
  private async ownSegment() {
    await this.load();
    if (this.own && (await this.own.data.stat()).nlink > 0) return this.own;
    await this.own?.index.close();
    this.own = null;
    if (this.segments.length >= MAX_SEGMENTS) throw new Error(`${this.folder} has ${MAX_SEGMENTS} segments; delete it`);
    // A file in the way is named better by what is opened next.
    await mkdir(this.folder, { recursive: true }).catch((cause) => {
      if (cause.code !== "EEXIST") throw cause;
    });
    const name = segmentName();
    const data = await open(join(this.folder, `${name}.answers`), "ax+");
    const index = await open(join(this.folder, `${name}.index`), "ax");
    this.own = { data, index, segment: this.segments.push({ name, data, indexed: 0 }) - 1, end: 0 };
    return this.own;
  }

  private stopWriting(cause: unknown): void {
    if (!this.writable) return;
    this.writable = false;
    const reason = (fileError(cause, this.folder) as Error).message;
    this.tell(`response cache: cannot be written, answers are not kept from here on; ${reason}`);
  }

  private load(): Promise<void> {
    this.loading ??= this.mergeSmall().then(() => this.readIndexes());
    return this.loading;
  }

  private async refresh(): Promise<void> {
    if (this.loading && performance.now() - this.loadedAt > REFRESH_MS) {
      this.loadedAt = performance.now();
      this.loading = this.loading.then(() => this.readIndexes());
    }
    await this.load();
  }

  /** Reads what has been added to any index since the last time, in the order in which segments were begun. */
  private async readIndexes(): Promise<void> {
    for (const name of await segmentNames(this.folder)) {
      let at = this.segments.findIndex((segment) => segment.name === name);
      if (this.own && at === this.own.segment) continue;
      const isNew = at < 0;
      if (isNew) {
        const data = await open(join(this.folder, `${name}.answers`), "r").catch(() => null);
        if (!data || this.segments.length >= MAX_SEGMENTS) continue;
        at = this.segments.push({ name, data, indexed: 0 }) - 1;
      }
      await this.readIndex(at, isNew).catch(() => {});
    }
    this.loadedAt = performance.now();
  }

  private async readIndex(at: number, withTail: boolean): Promise<void> {
    const segment = this.segments[at]!;
    const records = await readFrom(join(this.folder, `${segment.name}.index`), segment.indexed);
    const whole = records.length - (records.length % RECORD);
    let last = -1;
    for (let i = 0; i < whole; i += RECORD) {
      const offset = records.readDoubleLE(i + 32);
      if (!(offset >= 0 && offset < SEGMENT_SPAN && Number.isInteger(offset))) continue;
      this.places.set(placeKey(records.subarray(i, i + 32)), at * SEGMENT_SPAN + offset);
      last = offset;
    }
    segment.indexed += whole;
    if (withTail) await this.readTail(at, last);
  }

  /** Lines after the last indexed one: what a kill between the two writes left. */
  private async readTail(at: number, last: number): Promise<void> {
    const { data } = this.segments[at]!;
    let offset = last < 0 ? 0 : last + ((await readLine(data, last))?.length ?? Infinity) + 1;
    for (let line = await readLine(data, offset); line !== null; line = await readLine(data, offset)) {
      const key = keyOf(line);
      if (key) this.places.set(placeKey(keyBytes(key)), at * SEGMENT_SPAN + offset);
      offset += line.length + 1;
    }
  }

  /** Makes one segment of many small ones that nobody writes to. Never fails: what cannot be merged stays as it is. */
  private async mergeSmall(): Promise<void> {
    try {
      await sweep(this.folder);
      const small: string[] = [];
      for (const name of await segmentNames(this.folder)) {
        const { size, mtimeMs } = await stat(join(this.folder, `${name}.answers`));
        if (size < SMALL && Date.now() - mtimeMs > IDLE_MS) small.push(name);
      }
      if (small.length < MERGE_AT) return;
      const reader = new LoggedCache(this.folder, () => {});
      for (const name of small) {
        const data = await open(join(this.folder, `${name}.answers`), "r");
        await reader.readIndex(reader.segments.push({ name, data, indexed: 0 }) - 1, true);
      }
      await reader.copyTo(small[0]!);
      await reader.close();
      for (const name of small) await removeSegment(this.folder, name);
    } catch {
      // Another process merges the same ones, or the folder is read-only.
    }
  }

  /** A new segment of every place that is known; its index gets its name when all of it is there. `first`: the oldest of them, whose time it takes. */
  private async copyTo(first: string): Promise<void> {
    const name = `${first.slice(0, 15)}-${randomBytes(4).toString("hex")}`;
    const target = join(this.folder, name);
    const data = await open(`${target}.answers`, "ax");
    const index = await open(`${target}.index.part`, "wx");
    let end = 0;
    for (const place of this.places.values()) {
      const line = await readLine(this.segments[Math.floor(place / SEGMENT_SPAN)]!.data, place % SEGMENT_SPAN);
      const key = line && keyOf(line);
      if (!line || !key) continue;
      const record = Buffer.alloc(RECORD);
      keyBytes(key).copy(record);
      record.writeDoubleLE(end, 32);
      await writeWhole(data, Buffer.concat([line, Buffer.of(NEWLINE)]));
      await writeWhole(index, record);
      end += line.length + 1;
    }
    await data.sync();
    await index.sync();
    await data.close();
    await index.close();
    await rename(`${target}.index.part`, `${target}.index`);
  }
}

const segmentName = () => `${String(Date.now()).padStart(15, "0")}-${randomBytes(4).toString("hex")}`;

function keyBytes(key: string): Buffer {
  if (!KEY.test(key))
    throw new RangeError(`cache key: not a SHA-256; got ${JSON.stringify(key)}, expected 64 hex digits`);
  return Buffer.from(key, "hex");
}

/** Half of the key is enough to find a line, which holds the whole. */
const placeKey = (key: Buffer) => key.toString("latin1", 0, 16);

function entryText(key: string, generation: Generation): string {
  const encoded = encodeGeneration(trimGeneration(generation));
  return `{"format":"defensible-response","version":${VERSION},"key":"${key}","generation":${encoded}}\n`;
}

/** The key that a line names near its beginning. */
const keyOf = (line: Buffer) => /"key":"([0-9a-f]{64})"/.exec(line.toString("latin1", 0, 200))?.[1];

function readEntry(key: string, line: Buffer): Generation | null {
  const entry = JSON.parse(line.toString("utf8"));
  if (entry.format !== "defensible-response" || entry.version !== VERSION || entry.key !== key) return null;
  const generation = generationFromJson(entry.generation);
  return generation.finish === "stop" ? generation : null;
}

/** The line that begins at an offset, without its end; null where the file ends before the line does. */
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

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
}

async function segmentNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.flatMap((name) => SEGMENT.exec(name)?.[1] ?? []).sort();
}

/** Deletes what a merge that was killed left: an index without its name, answers without an index. */
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

async function removeSegment(folder: string, name: string): Promise<void> {
  await rm(join(folder, `${name}.index`), { force: true });
  await rm(join(folder, `${name}.answers`), { force: true });
}
