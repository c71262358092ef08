import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RawLog } from "../../auditors/recorded/raw-log.js";
import { RawReader } from "../../auditors/recorded/raw-reader.js";
import { InputError } from "../../core/errors.js";
import type { RatingKey } from "../../experiments/humans/result.js";
import { writeFileAtomic } from "../../io/files.js";
import type { BatchPart, BatchStore, RawStore } from "../ports.js";
import type { Workspace } from "./workspace.js";

/** Answers of models in a file, packed. */
export function rawFile(path: string): RawStore {
  return {
    open(run, auditor) {
      return new RawLog(path, run, auditor);
    },
    read: async () => (existsSync(path) ? RawReader.open(path) : null),
  };
}

/** A run's folder `batch`: `<n>.json` with the receipts of a part and `<n>.ids` with its questions. */
export class BatchFiles implements BatchStore {
  readonly answers: RawStore;

  constructor(private readonly folder: string) {
    this.answers = rawFile(join(folder, "answers.jsonl"));
  }

  async parts(): Promise<BatchPart[]> {
    if (!existsSync(this.folder)) return [];
    const numbers = readdirSync(this.folder)
      .map((name) => /^(\d+)\.ids$/.exec(name)?.[1])
      .filter((number) => number !== undefined)
      .map(Number);
    return numbers.sort((a, b) => a - b).map((part) => this.read(part));
  }

  async ids(part: number): Promise<string[]> {
    return readFileSync(this.path(part, "ids"), "utf8").split("\n").filter(Boolean);
  }

  async begin(ids: readonly string[]): Promise<BatchPart> {
    mkdirSync(this.folder, { recursive: true });
    const part = Math.max(0, ...(await this.parts()).map((one) => one.part)) + 1;
    writeFileAtomic(this.path(part, "ids"), `${ids.join("\n")}\n`);
    return { part, handles: [], sent: false, collected: false };
  }

  async save(part: BatchPart): Promise<void> {
    writeFileAtomic(this.path(part.part, "json"), `${JSON.stringify(part, null, 2)}\n`);
  }

  async forget({ part }: BatchPart): Promise<void> {
    rmSync(this.path(part, "ids"), { force: true });
    rmSync(this.path(part, "json"), { force: true });
  }

  private read(part: number): BatchPart {
    const path = this.path(part, "json");
    if (!existsSync(path)) return { part, handles: [], sent: false, collected: false };
    try {
      return JSON.parse(readFileSync(path, "utf8")) as BatchPart;
    } catch {
      throw new InputError("bad_batch", `${path}: not readable`, "Delete the run's folder `batch`, and submit again.");
    }
  }

  private path(part: number, ending: "ids" | "json"): string {
    return join(this.folder, `${part}.${ending}`);
  }
}

type Place = Pick<Workspace, "paths">;

/** Where the workspace keeps the key of a rating sheet: apart from the sheet, which goes to raters. */
function keyFile({ paths }: Place, sheetId: string): string {
  return join(paths.humans, `${sheetId}.key.json`);
}

export async function readRatingKey(workspace: Place, sheetId: string): Promise<RatingKey> {
  // Loaded only now: making schemas takes longer than the rest of a short command.
  const { noRatingKey, parseRatingKey } = await import("../rating-keys.js");
  const file = keyFile(workspace, sheetId);
  if (!existsSync(file)) throw noRatingKey(file);
  return parseRatingKey(readFileSync(file, "utf8"), file);
}

export function writeRatingKey(workspace: Place, key: RatingKey): string {
  mkdirSync(workspace.paths.humans, { recursive: true });
  const file = keyFile(workspace, key.sheet_id);
  writeFileAtomic(file, `${JSON.stringify(key, null, 2)}\n`);
  return file;
}

/** Ids of the sheets that were drawn, oldest first. */
export function sheetIds({ paths }: Place): string[] {
  if (!existsSync(paths.humans)) return [];
  return readdirSync(paths.humans)
    .flatMap((name) => /^(?<id>.+)\.key\.json$/.exec(name)?.groups?.id ?? [])
    .sort();
}
