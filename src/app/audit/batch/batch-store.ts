import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BatchHandle } from "../../../auditors/auditor.js";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomic } from "../../../io/files.js";

/** One submission: the questions it was to hold, and what the provider made of it. */
export interface BatchPart {
  part: number;
  handles: BatchHandle[];
  /** False: the process was killed while it sent them, so that receipts may be missing. */
  sent: boolean;
  collected: boolean;
}

/**
 * What a run has sent to a provider's batch service: `batch/<n>.json` with the receipts and `batch/<n>.ids` with the questions, written before they are sent,
 * so that a lost receipt can be looked for by its label instead of being paid again.
 */
export class BatchStore {
  private readonly folder: string;

  constructor(
    runFolder: string,
    private readonly runId: string,
  ) {
    this.folder = join(runFolder, "batch");
  }

  get answersFile(): string {
    return join(this.folder, "answers.jsonl");
  }

  label(part: number): string {
    return `${this.runId}-${part}`;
  }

  parts(): BatchPart[] {
    if (!existsSync(this.folder)) return [];
    const numbers = readdirSync(this.folder)
      .map((name) => /^(\d+)\.ids$/.exec(name)?.[1])
      .filter((number) => number !== undefined)
      .map(Number);
    return numbers.sort((a, b) => a - b).map((part) => this.part(part));
  }

  /** The questions of a part. */
  ids(part: number): string[] {
    return readFileSync(join(this.folder, `${part}.ids`), "utf8")
      .split("\n")
      .filter(Boolean);
  }

  begin(ids: readonly string[]): BatchPart {
    mkdirSync(this.folder, { recursive: true });
    const part = Math.max(0, ...this.parts().map((one) => one.part)) + 1;
    writeFileAtomic(join(this.folder, `${part}.ids`), `${ids.join("\n")}\n`);
    return { part, handles: [], sent: false, collected: false };
  }

  save(part: BatchPart): void {
    writeFileAtomic(join(this.folder, `${part.part}.json`), `${JSON.stringify(part, null, 2)}\n`);
  }

  /** A part that never reached the provider. */
  forget(part: BatchPart): void {
    rmSync(join(this.folder, `${part.part}.ids`), { force: true });
    rmSync(join(this.folder, `${part.part}.json`), { force: true });
  }

  private part(part: number): BatchPart {
    const path = join(this.folder, `${part}.json`);
    if (!existsSync(path)) return { part, handles: [], sent: false, collected: false };
    try {
      return JSON.parse(readFileSync(path, "utf8")) as BatchPart;
    } catch {
      throw new InputError("bad_batch", `${path}: not readable`, "Delete the run's folder `batch`, and submit again.");
    }
  }
}

/** A question's name at the provider: what it may be called is narrower than what a decision may. */
export function batchId(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
