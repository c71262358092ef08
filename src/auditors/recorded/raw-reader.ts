import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { DefensibleError, InputError } from "../../core/errors.js";
import { auditKey } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { fileError } from "../../io/files.js";
import { type Line, readLines } from "../../io/read-lines.js";
import { type Auditor, CallError, type Capabilities, type GivenSettings } from "../auditor.js";
import type { AuditorOptions } from "../create-auditor.js";
import { RAW_LOG_NAME, type RawAnswer, type RawSettings, readHeader, unpackGeneration } from "./raw-log.js";

/** One line of a raw log. `answer` is null if the line cannot be read. */
export interface RawLine {
  line: Line;
  answer: RawAnswer | null;
}

export interface RawBatch {
  /** From the file's header; null if it does not state them. */
  settings: RawSettings | null;
  rows: RawLine[];
}

/** What `auditKey` and `drawKey` append to a decision's id. */
const AFTER_ID = /\u0000[^\u0000]*\u0000\d+(\u0000draw\d+)?$/;

/** Reads the answers of a raw log in batches, in constant memory; a line torn by a crash is skipped. InputError for any other file. */
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

/** Index of the answers in a raw log, so that any can be read at once. */
export class RawReader {
  /** Built on first use. */
  private decisions: ReadonlySet<string> | null = null;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly places: ReadonlyMap<string, { offset: number; length: number }>,
    /** The auditors that answered, as `auditor@version`. */
    readonly makers: readonly string[],
    /** First 8 hex digits of a hash of all answers. */
    readonly hash: string,
    /** Unreadable lines, apart from a torn last one. */
    readonly damaged: number,
    /** The settings under which the answers were given; null in a file from before they were recorded. */
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

  hasDecision(id: string): boolean {
    this.decisions ??= new Set(Array.from(this.places.keys(), (key) => key.replace(AFTER_ID, "")));
    return this.decisions.has(id);
  }

  has(key: string): boolean {
    return this.places.has(key);
  }

  /** The last answer with this key; null: not found. InputError if it is damaged. */
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

/** Answers examined to report what they hold: the first may be a refusal. */
const PROBED = 20;

/** Nothing was asked: the tokens belong to the run that kept the answers, and were counted there. */
const NO_USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/**
 * Answers with what a model said before: signals are read again by this version of the program, without a call. Each audit is
 * looked up by its key, so decisions, arms, replicates and draws must be those of the run that kept the answers.
 * @param file a `raw.jsonl`, or the folder of a run that holds one
 */
export async function createReplayAuditor(name: string, file: string, _options: AuditorOptions = {}): Promise<Auditor> {
  const reader = await RawReader.open(rawFile(file));
  const maker = reader.makers.length === 1 ? reader.makers[0]! : "several";
  return {
    name,
    version: `${maker}#${reader.hash}`,
    signals: ["logprobs", "sampling", "none"],
    inProcess: true,
    readsPrompt: null,
    // One per call, so that a missing answer does not take others with it.
    answersPerCall: 1,
    maxConcurrency: null,
    ask: async ({ wanted }) => ({ generations: await Promise.all(wanted.map(({ key }) => answerOf(reader, key))) }),
    probe: () => probe(reader, maker),
    ...(reader.settings ? { given: givenOf(reader.settings) } : {}),
    knows: (decisionId, arm) =>
      arm === undefined ? reader.hasDecision(decisionId) : reader.has(auditKey(decisionId, arm, 0)),
    close: () => reader.close(),
  };
}

function givenOf({ prompt_version: promptVersion, ...settings }: RawSettings): GivenSettings {
  return promptVersion === undefined ? settings : { ...settings, promptVersion };
}

function rawFile(file: string): string {
  const remedy = `Name the ${RAW_LOG_NAME} of a run that kept its answers, or the run's folder.`;
  if (!existsSync(file)) throw new InputError("no_raw_file", `replay: there is no ${file}`, remedy);
  if (!statSync(file).isDirectory()) return file;
  const path = join(file, RAW_LOG_NAME);
  if (!existsSync(path)) throw new InputError("no_raw_file", `replay: ${file} holds no ${RAW_LOG_NAME}`, remedy);
  return path;
}

async function answerOf(reader: RawReader, key: string): Promise<Generation> {
  let generation: Generation | null;
  try {
    generation = await reader.get(key);
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    throw new CallError("bad_request", `replay: the answer for ${describe(key)} in ${reader.path} is damaged`);
  }
  if (generation === null) {
    const lost = reader.damaged > 0 ? `; ${reader.damaged} of its lines cannot be read` : "";
    throw new CallError("bad_request", `replay: ${describe(key)} is not in ${reader.path}${lost}`);
  }
  return { ...generation, usage: { ...NO_USAGE } };
}

function describe(key: string): string {
  const [id, arm, replicate, draw] = key.split("\u0000");
  const parts = [`decision ${JSON.stringify(id)}`];
  if (arm) parts.push(`arm ${arm}`);
  if (replicate) parts.push(`replicate ${Number(replicate)}`);
  if (draw) parts.push(draw.replace("draw", "draw "));
  return parts.join(", ");
}

async function probe(reader: RawReader, maker: string): Promise<Capabilities> {
  const notes = [`${reader.size} kept answers of ${maker}.`];
  if (reader.damaged > 0) notes.push(`${reader.damaged} lines cannot be read.`);
  const seen: Capabilities = {
    ...{ logprobs: false, topLogprobs: 0, answersPerCall: 1, structuredOutput: true, space: "unknown" },
    ...{ dialect: "replay", model: maker, notes, costUsd: 0 },
  };
  let looked = 0;
  for (const key of reader.keys()) {
    if (looked++ === PROBED) break;
    const generation = await reader.get(key).catch(() => null);
    if (!generation?.tokens) continue;
    seen.logprobs = true;
    seen.space = generation.space;
    for (const token of generation.tokens) seen.topLogprobs = Math.max(seen.topLogprobs, token.top.length);
  }
  return seen;
}
