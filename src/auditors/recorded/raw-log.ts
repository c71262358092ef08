import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { InputError } from "../../core/errors.js";
import type { Generation } from "../../core/records/generation.js";
import { LineLog } from "../../io/line-log.js";
import { decodeGeneration, encodeGeneration } from "./generation-codec.js";
import { checkHead, headerLine, type RawRun } from "./raw-header.js";

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

  /**
   * @param path is made if it does not exist; else its header stays, and an answer that a crash tore is cut off
   * @param run under which settings the answers are given
   */
  constructor(path: string, run: RawRun, { name, version }: { readonly name: string; readonly version: string }) {
    const maker = { auditor: name, auditor_version: version, prompt_version: run.promptVersion };
    this.maker = JSON.stringify(maker).slice(1, -1);
    if (existsSync(path)) checkHead(path);
    this.log = new LineLog(path);
    if (this.log.end === 0) this.log.append([headerLine(run)]);
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
