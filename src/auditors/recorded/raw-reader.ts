import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../core/errors.js";
import type { Generation } from "../../core/records/case.js";
import { fileError } from "../../io/files.js";
import { type Line, readLines } from "../../io/read-lines.js";
import { type RawAnswer, type RawSettings, readHeader, unpackGeneration } from "./raw-log.js";

/** One line of a raw log. `answer` is null where the line cannot be read. */
export interface RawLine {
  line: Line;
  answer: RawAnswer | null;
}

export interface RawBatch {
  /** As the file's header says; null where it does not say. */
  settings: RawSettings | null;
  rows: RawLine[];
}

/** What `auditKey` and `drawKey` put after a decision's id. */
const AFTER_ID = /\u0000[^\u0000]*\u0000\d+(\u0000draw\d+)?$/;

/**
 * The answers of a raw log, a batch at a time, in constant memory; a line that a crash tore is passed over. InputError for a file that
 * is not one.
 */
export async function* readRawLog(path: string): AsyncGenerator<RawBatch> {
  const batches = readLines(path);
  let headed = false;
  let settings: RawSettings | null = null;
  try {
    for await (const lines of batches) {
      if (!headed) settings = readHeader(lines[0]!.text, path);
      const answers = headed ? lines : lines.slice(1);
      headed = true;
      const rows = answers.filter((line) => line.ended).map((line) => ({ line, answer: parseAnswer(line) }));
      yield { settings, rows };
    }
  } catch (cause) {
    throw fileError(cause, path);
  }
  if (!headed) throw empty(path);
}

/** Where each answer of a raw log is, so that any of them can be read at once. */
export class RawReader {
  /** Made when it is first asked for. */
  private decisions: ReadonlySet<string> | null = null;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly places: ReadonlyMap<string, { offset: number; length: number }>,
    /** Who answered, as `auditor@version`. */
    readonly makers: readonly string[],
    /** First 8 hex digits of a hash of all answers. */
    readonly hash: string,
    /** Lines in the middle that cannot be read. */
    readonly damaged: number,
    /** Under which settings the answers were given; null in a file from before they were noted. */
    readonly settings: RawSettings | null,
  ) {}

  static async open(path: string): Promise<RawReader> {
    const places = new Map<string, { offset: number; length: number }>();
    const makers = new Set<string>();
    const hash = createHash("sha256");
    let damaged = 0;
    let settings: RawSettings | null = null;
    for await (const batch of readRawLog(path)) {
      settings = batch.settings;
      for (const { line, answer } of batch.rows) {
        hash.update(line.text);
        hash.update("\n");
        if (answer === null) {
          damaged++;
          continue;
        }
        places.set(answer.key, { offset: line.offset, length: Buffer.byteLength(line.text) });
        makers.add(`${answer.auditor}@${answer.auditor_version}`);
      }
    }
    if (places.size === 0) throw empty(path);
    const file = await open(path, "r");
    return new RawReader(path, file, places, [...makers], hash.digest("hex").slice(0, 8), damaged, settings);
  }

  get size(): number {
    return this.places.size;
  }

  keys(): IterableIterator<string> {
    return this.places.keys();
  }

  /** Whether there is an answer to any audit of a decision. */
  hasDecision(id: string): boolean {
    this.decisions ??= new Set(Array.from(this.places.keys(), (key) => key.replace(AFTER_ID, "")));
    return this.decisions.has(id);
  }

  has(key: string): boolean {
    return this.places.has(key);
  }

  /** The last answer of a key; null if nothing is there. InputError where it is damaged. */
  async get(key: string): Promise<Generation | null> {
    const place = this.places.get(key);
    if (!place) return null;
    const bytes = Buffer.allocUnsafe(place.length);
    const { bytesRead } = await this.file.read(bytes, 0, place.length, place.offset);
    const answer = parseText(bytes.toString("utf8", 0, bytesRead));
    if (answer?.key !== key) throw new InputError("bad_generation", `${this.path}: was changed while it was read`);
    return unpackGeneration(answer.z);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

function parseAnswer(line: Line): RawLine["answer"] {
  return line.utf8 ? parseText(line.text) : null;
}

function parseText(text: string): RawLine["answer"] {
  try {
    const row = JSON.parse(text);
    const { key, auditor, auditor_version, z } = row;
    return [key, auditor, auditor_version, z].every((value) => typeof value === "string") ? row : null;
  } catch {
    return null;
  }
}

function empty(path: string): InputError {
  return new InputError(
    "no_raw_answers",
    `${path}: holds no answers`,
    "Make a run that keeps its answers, then replay it.",
  );
}
