import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { SIGNAL_MODES, TEMPLATES } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { tierSchema } from "../../core/records/rule-set.js";
import { fileError } from "../../io/files.js";
import { LineLog } from "../../io/read-lines.js";
import type { GivenSettings } from "../auditor.js";
import { decodeGeneration, encodeGeneration } from "./generation-codec.js";

/** The name of the file inside a run's folder. */
export const RAW_LOG_NAME = "raw.jsonl";

/** How every header begins, whatever settings follow. */
const HEAD = '{"format":"defensible-raw","version":1';
/** Far longer than any header. */
const HEAD_BYTES = 1 << 13;

const settingsSchema = z
  .object({
    template: z.enum(TEMPLATES),
    tier: tierSchema,
    temperature: z.number().min(0),
    signal: z.enum(SIGNAL_MODES),
    /** Only in signal mode `sampling`. */
    samples: z.number().int().min(1),
    prompt_version: z.string(),
  })
  .partial();

/** The settings under which a file's answers were given, as far as it states them. */
export type RawSettings = z.infer<typeof settingsSchema>;

/** The settings a run records. */
export type RawRun = Readonly<Required<GivenSettings>>;

function headerLine(run: RawRun): string {
  const { template, tier, temperature, signal, samples, promptVersion } = run;
  const settings: RawSettings = {
    ...{ template, tier, temperature, signal },
    ...(signal === "sampling" ? { samples } : {}),
    prompt_version: promptVersion,
  };
  return `${HEAD},"settings":${JSON.stringify(settings)}}`;
}

/** The settings in a file's first line; null for a file from before settings were recorded. InputError for a file without raw answers. */
export function readHeader(line: string, path: string): RawSettings | null {
  let header: { format?: unknown; version?: unknown; settings?: unknown } | null = null;
  try {
    header = JSON.parse(line);
  } catch {}
  if (header?.format !== "defensible-raw") {
    throw new InputError(
      "not_raw",
      `${path}: not a file of raw answers; its first line does not begin with ${HEAD}`,
      `Name the ${RAW_LOG_NAME} of a run that kept its answers, or the run's folder.`,
    );
  }
  const remedy = "Use the version of defensible that wrote it.";
  if (header.version !== 1) {
    const got = JSON.stringify(header.version);
    throw new InputError("raw_version", `${path}: raw answers of another version; got ${got}, expected 1`, remedy);
  }
  if (header.settings === undefined) return null;
  const { data, error } = settingsSchema.safeParse(header.settings);
  if (data) return data;
  // If skipped, they would be replaced by defaults under which the answers were not given.
  const where = ["settings", ...error.issues[0]!.path].join(".");
  throw new InputError("raw_settings", `${path}: ${where} in its first line cannot be read`, remedy);
}

/** A file must be recognisably ours before its end is cut off; so is one whose header was torn by a crash. */
function checkHead(path: string): void {
  const head = Buffer.alloc(HEAD_BYTES);
  let length: number;
  try {
    const file = openSync(path, "r");
    try {
      length = readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw fileError(cause, path);
  }
  const text = head.toString("utf8", 0, length);
  const newline = text.indexOf("\n");
  const torn = HEAD.startsWith(text) || text.startsWith(`${HEAD},`) || text === `${HEAD}}`;
  if (newline < 0 && torn) return;
  readHeader(newline < 0 ? text : text.slice(0, newline), path);
}

/** The fields of one line. */
export interface RawAnswer {
  /** As made by `auditKey`, and `drawKey` for the draws of one audit. */
  key: string;
  auditor: string;
  auditor_version: string;
  prompt_version: string;
  /** The compressed generation. */
  z: string;
}

/** Answers compressed at a time; each holds about 200 kB meanwhile. */
const MAX_PACKING = 8;
/** 200 tokens of 20 candidates are 110 kB: level 1 compresses them to 52 kB in 1.3 ms, level 6 to 50 kB in 3.3 ms. */
const LEVEL = 1;
/** More than any answer has: a damaged line must not expand without end. */
const MAX_UNPACKED = 1 << 29;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * The answers of a run as the model gave them (`--keep-raw`): append-only, one line per answer; a later line replaces an earlier
 * one with the same key. Compression runs outside the event loop, for a limited number of answers at a time; only the encoding
 * blocks the loop, 1.5 ms for 200 tokens of 20 candidates.
 */
export class RawLog {
  private readonly log: LineLog;
  /** Members shared by all lines, as JSON. */
  private readonly maker: string;
  private packing = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param path created if it does not exist; otherwise its header stays, and an answer torn by a crash is cut off
   * @param run the settings under which the answers are given
   */
  constructor(path: string, run: RawRun, { name, version }: { readonly name: string; readonly version: string }) {
    const maker = { auditor: name, auditor_version: version, prompt_version: run.promptVersion };
    this.maker = JSON.stringify(maker).slice(1, -1);
    if (existsSync(path)) checkHead(path);
    this.log = new LineLog(path);
    if (this.log.end === 0) this.log.append([headerLine(run)]);
  }

  /** Resolves when the answer is written. */
  async append(key: string, generation: Generation): Promise<void> {
    // The slot is handed over, not freed, so that no other answer slips in between.
    if (this.packing < MAX_PACKING) this.packing++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      const packed = await pack(encodeGeneration(generation), { level: LEVEL });
      // Base64 needs no escapes; serialising the whole line as JSON would search 70 kB for some.
      this.log.append([`{"key":${JSON.stringify(key)},${this.maker},"z":"${packed.toString("base64")}"}`]);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.packing--;
    }
  }

  /** Makes everything durable. Await all appends first. */
  close(): Promise<void> {
    return this.log.close();
  }
}

/** Decompresses a line's `z`. InputError if it is damaged. */
export async function unpackGeneration(z: string): Promise<Generation> {
  let text: string;
  try {
    text = (await unpack(Buffer.from(z, "base64"), { maxOutputLength: MAX_UNPACKED })).toString("utf8");
  } catch {
    throw new InputError("bad_generation", "generation: its packing is damaged");
  }
  return decodeGeneration(text);
}
