import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import { InputError } from "../../core/errors.js";
import { fileError } from "../../io/files.js";
import { type ByteLine, chunksOf, LineSplitter } from "../../io/read-lines.js";
import { plural } from "../../text/words.js";
import { answerId, type LineHead, parseKey, readHead } from "./answer-line.js";

/** Number of lines of each kind in a file of answers. */
export interface LineCounts {
  answers: number;
  /** Not an answer: the call failed. */
  failed: number;
  malformed: number;
  foreign: number;
  /** Answers to the same draw that a later one replaced. */
  replaced: number;
  /** Longer than the largest answer that is read. */
  tooLong: number;
}

/** The first unusable line of each kind, for the error message. */
export type FirstLines = Partial<Record<"failed" | "malformed" | "foreign", { line: number; words: string | null }>>;

interface Place {
  offset: number;
  length: number;
}

interface KeptPlace extends Place {
  used: boolean;
}

export interface AnswerLimits {
  /** Longest line in bytes; of a longer one only the key is read. */
  line: number;
  /** Most bytes a compressed file may expand to. */
  spooled: number;
}

const LINE_BYTES = 8 * 1024 * 1024;
const SPOOLED_BYTES = 64e9;
/** Bytes searched for the key of a line that is too long to read. */
const HEAD_BYTES = 4096;
const CHUNK_BYTES = 1 << 18;
const MODELS_NAMED = 3;

/** Index of the answers in a file, so that any can be read at once; the answers themselves stay on disk. */
export class AnswerFile {
  readonly counts: LineCounts = { answers: 0, failed: 0, malformed: 0, foreign: 0, replaced: 0, tooLong: 0 };
  readonly first: FirstLines = {};
  /** Answers with token probabilities. */
  logprobs = 0;
  /** Models by number of answers. */
  private readonly models = new Map<string, number>();
  /** By the answer's id. */
  private readonly places = new Map<string, KeptPlace>();
  /** For questions with more than one draw: the next free draw. */
  private readonly drawn = new Map<string, number>();

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly longest: number,
  ) {}

  /** Reads a file once, in constant memory apart from the index. A compressed file or a pipe is copied to a temporary file. */
  static async open(path: string, limits: Partial<AnswerLimits> = {}): Promise<AnswerFile> {
    const all = { line: LINE_BYTES, spooled: SPOOLED_BYTES, ...limits };
    let file: FileHandle | null = null;
    try {
      file = await openPlain(path, all);
      const answers = new AnswerFile(path, file, all.line);
      await answers.index();
      return answers;
    } catch (cause) {
      await file?.close();
      throw fileError(cause, path);
    }
  }

  /** The model that answered; null: no line names one. InputError if there are several: their answers are not those of one auditor. */
  get model(): string | null {
    const [first, ...others] = [...this.models].sort(([, a], [, b]) => b - a);
    if (others.length === 0) return first?.[0] ?? null;
    const named = [first!, ...others]
      .slice(0, MODELS_NAMED)
      .map(([model, count]) => `${model} (${plural(count, "answer")})`);
    const more = others.length >= MODELS_NAMED ? ` and ${others.length + 1 - MODELS_NAMED} more` : "";
    throw new InputError(
      "several_models",
      `${this.path}: holds answers of several models: ${named.join(", ")}${more}; expected one`,
      "Split it into one file a model. If they are one model under several names, write one name into `model`.",
    );
  }

  get size(): number {
    return this.places.size;
  }

  ids(): IterableIterator<string> {
    return this.places.keys();
  }

  /** Whether a question has answers other than a first draw. */
  hasSeveral(key: string): boolean {
    return this.drawn.has(key);
  }

  /** Marks an answer as used; false: not found. */
  use(id: string): boolean {
    const place = this.places.get(id);
    if (place) place.used = true;
    return place !== undefined;
  }

  *uses(): Generator<[id: string, isUsed: boolean]> {
    for (const [id, { used }] of this.places) yield [id, used];
  }

  /** The line of an answer; `tooLong` if it exceeds the limit; null: not found. */
  async line(id: string): Promise<Buffer | "tooLong" | null> {
    const place = this.places.get(id);
    if (!place) return null;
    if (place.length > this.longest) return "tooLong";
    const bytes = Buffer.allocUnsafe(place.length);
    const { bytesRead } = await this.file.read(bytes, 0, place.length, place.offset);
    return bytes.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async index(): Promise<void> {
    const splitter = new LineSplitter(this.longest);
    for await (const chunk of chunksOf(this.file, CHUNK_BYTES)) this.read(splitter.push(chunk));
    this.read(splitter.end());
  }

  private read(lines: readonly ByteLine[]): void {
    for (const { offset, length, bytes, ended, number } of lines) {
      if (isBlank(bytes)) continue;
      const head = length > this.longest ? headOfLong(bytes) : readHead(bytes);
      if (typeof head !== "string") this.take(head, number, { offset, length });
      // A last line without a newline is still being written.
      else if (ended || head === "foreign") this.refuse(head, number, null);
    }
  }

  private take({ key, draw, model, logprobs, failed }: LineHead, line: number, place: Place): void {
    if (failed !== null) {
      this.refuse("failed", line, failed);
      return;
    }
    this.counts.answers++;
    if (place.length > this.longest) this.counts.tooLong++;
    if (logprobs) this.logprobs++;
    if (model !== null) this.models.set(model, (this.models.get(model) ?? 0) + 1);
    const own = draw ?? this.freeDraw(key);
    const id = answerId(key, own);
    if (own > 1 && !this.drawn.has(key)) this.drawn.set(key, 1);
    if (this.places.has(id)) this.counts.replaced++;
    this.places.set(id, { ...place, used: false });
  }

  private freeDraw(key: string): number {
    let draw = this.drawn.get(key) ?? 1;
    while (this.places.has(answerId(key, draw))) draw++;
    if (draw > 1) this.drawn.set(key, draw);
    return draw;
  }

  private refuse(kind: keyof FirstLines, line: number, words: string | null): void {
    this.counts[kind]++;
    this.first[kind] ??= { line, words };
  }
}

function isBlank(bytes: Buffer): boolean {
  return (bytes[0] ?? 0) <= 32 && bytes.every((byte) => byte <= 32);
}

async function isPacked(file: FileHandle): Promise<boolean> {
  const magic = Buffer.alloc(2);
  const { bytesRead } = await file.read(magic, 0, 2, 0);
  return bytesRead === 2 && magic[0] === 0x1f && magic[1] === 0x8b;
}

/** Opens the file itself; a compressed file or a pipe is first copied to a temporary file that allows random access. */
async function openPlain(path: string, limits: AnswerLimits): Promise<FileHandle> {
  const given = (await stat(path)).isFile()
    ? await open(path, "r")
    : await spool(() => createReadStream(path), path, limits);
  if (!(await isPacked(given))) return given;
  try {
    return await spool(() => unpacked(given), path, limits);
  } catch (cause) {
    if (!(cause as NodeJS.ErrnoException).code?.startsWith("Z_")) throw cause;
    throw new InputError("bad_gzip", `${path}: its compression is damaged`, "Pack it again, or give it unpacked.");
  } finally {
    await given.close();
  }
}

/** A file that is still being written yields what is there so far. */
function unpacked(file: FileHandle): Readable {
  const packed = file.createReadStream({ start: 0, autoClose: false });
  const unpacking = packed.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }));
  packed.on("error", (cause) => unpacking.destroy(cause));
  return unpacking;
}

/** Copies a stream into a temporary file that disappears with the process, however it ends. */
async function spool(begin: () => Readable, path: string, { spooled }: AnswerLimits): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "defensible-answers-"));
  const file = await open(join(folder, "answers.jsonl"), "wx+", 0o600);
  // Where open files cannot be removed, it stays until the system clears its temporary folder.
  await rm(folder, { recursive: true, force: true }).catch(() => {});
  let size = 0;
  const stream = begin();
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > spooled) throw tooLarge(path, spooled);
      await file.write(chunk as Buffer);
    }
    return file;
  } catch (cause) {
    stream.destroy();
    await file.close();
    throw cause;
  }
}

function tooLarge(path: string, most: number): InputError {
  const gigabytes = Math.round(most / 1e9);
  return new InputError("too_large", `${path}: unpacks to more than ${gigabytes} GB`, "Give it unpacked, or in parts.");
}

/** The key of a line that is too long to read, if it is near the beginning. */
function headOfLong(bytes: Buffer): LineHead | "malformed" {
  const start = bytes.toString("latin1", 0, HEAD_BYTES);
  const known = parseKey(/"(?:key|custom_id|recordId|id)"\s*:\s*"(p1[0-9a-fn]+)"/.exec(start)?.[1] ?? "");
  return known === null ? "malformed" : { ...known, model: null, logprobs: false, failed: null };
}
