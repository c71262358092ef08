import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Generation } from "../domain/generation.js";
import { InputError } from "../errors.js";
import { fileError } from "./files.js";
import { decodeGeneration, encodeGeneration } from "./generation-codec.js";
import { LineLog } from "./line-log.js";

/** What a line says of its answer. */
export interface RawAnswer {
  /** As made by `auditKey`, and `drawKey` for the draws of one audit. */
  key: string;
  auditor: string;
  auditor_version: string;
  prompt_version: string;
  /** The generation, packed. */
  z: string;
}

/** The name of the file inside a run's folder. */
export const RAW_LOG_NAME = "raw.jsonl";

const HEADER = '{"format":"defensible-raw","version":1}';
/** Answers that are packed at a time; each holds some 200 kB while it is. */
const MAX_PACKING = 8;
/** 200 tokens of 20 candidates are 110 kB: level 1 makes 52 kB of them in 1.3 ms, level 6 makes 50 kB in 3.3 ms. */
const LEVEL = 1;
/** More than any answer has: a damaged line must not unpack without end. */
const MAX_UNPACKED = 1 << 29;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * The answers of a run as the model gave them (`--keep-raw`): append-only, one line an answer, a later line of a key replaces an earlier
 * one. Packing runs beside the event loop, and only so many answers wait for it; what it takes of the loop is the encoding, 1.5 ms for 200
 * tokens of 20 candidates.
 */
export class RawLog {
  private readonly log: LineLog;
  /** Members that all lines share, as JSON. */
  private readonly maker: string;
  private packing = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param path is made if it does not exist; an answer that a crash tore is cut off. */
  constructor(
    path: string,
    { promptVersion }: { readonly promptVersion: string },
    { name, version }: { readonly name: string; readonly version: string },
  ) {
    const maker = { auditor: name, auditor_version: version, prompt_version: promptVersion };
    this.maker = JSON.stringify(maker).slice(1, -1);
    if (existsSync(path)) checkHead(path);
    this.log = new LineLog(path);
    if (this.log.end === 0) this.log.append([HEADER]);
  }

  /** Returns when the answer is written. */
  async append(key: string, generation: Generation): Promise<void> {
    // The place is handed over, not freed, so that nobody slips in between.
    if (this.packing < MAX_PACKING) this.packing++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      const packed = await pack(encodeGeneration(generation), { level: LEVEL });
      // Base64 needs no escapes; having the whole line written as JSON would look for some in 70 kB.
      this.log.append([`{"key":${JSON.stringify(key)},${this.maker},"z":"${packed.toString("base64")}"}`]);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.packing--;
    }
  }

  /** Makes everything durable. What was appended must have been awaited. */
  close(): Promise<void> {
    return this.log.close();
  }
}

/** The generation of a line's `z`. InputError where it is damaged. */
export async function unpackGeneration(z: string): Promise<Generation> {
  let text: string;
  try {
    text = (await unpack(Buffer.from(z, "base64"), { maxOutputLength: MAX_UNPACKED })).toString("utf8");
  } catch {
    throw new InputError("bad_generation", "generation: its packing is damaged");
  }
  return decodeGeneration(text);
}

/** Whether a file's first line says that it holds raw answers; else an InputError. */
export function checkHeader(line: string, path: string): void {
  let header: { format?: unknown; version?: unknown } | null = null;
  try {
    header = JSON.parse(line);
  } catch {}
  if (header?.format !== "defensible-raw") {
    throw new InputError(
      "not_raw",
      `${path}: not a file of raw answers; its first line is not ${HEADER}`,
      `Name the ${RAW_LOG_NAME} of a run that was made with --keep-raw, or the run's folder.`,
    );
  }
  if (header.version !== 1) {
    throw new InputError(
      "raw_version",
      `${path}: raw answers of another version; got ${JSON.stringify(header.version)}, expected 1`,
      "Use the version of defensible that wrote it.",
    );
  }
}

/** Before anything is cut off its end, a file must show that it is ours; a header that a crash tore is ours too. */
function checkHead(path: string): void {
  const head = Buffer.alloc(256);
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
  if (newline < 0 && HEADER.startsWith(text)) return;
  checkHeader(newline < 0 ? text : text.slice(0, newline), path);
}
