import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RAW_LOG_NAME, RawLog } from "../../auditors/recorded/raw-log.js";
import { RawReader } from "../../auditors/recorded/raw-reader.js";
import { InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import { type Manifest, manifestSchema } from "../../core/records/manifest.js";
import { fileError, sweepTemporary, syncFolder, writeFileAtomic } from "../../io/files.js";
import { acquireLock, waitForLock } from "../../io/lock.js";
import { LineLog, readLines } from "../../io/read-lines.js";
import { newestFirst, sealedRun, unknownRun } from "../choose-run.js";
import type { AuditSource, BatchPart, BatchStore, RawStore, RunStore, RunWriter } from "../ports.js";
import { IndexedRunWriter, parseRow, type RunBody, RunIndex } from "../run-index.js";
import { openDuckDB, sqlString } from "./duckdb.js";
import { sealToParquet } from "./seal.js";

/**
 * Runs as folders: `audits.jsonl` while a run is open, `audits.parquet` once it is sealed; if both exist, the Parquet file is used. A DuckDB
 * database file was rejected because a writing process locks out every reader.
 */
export class FileLedger implements RunStore {
  /** @param root the `runs` folder of a workspace; it need not exist yet. */
  constructor(private readonly root: string) {}

  async list(): Promise<Manifest[]> {
    return (await this.survey()).sound;
  }

  async damaged(): Promise<string[]> {
    return (await this.survey()).damaged;
  }

  private async survey(): Promise<{ sound: Manifest[]; damaged: string[] }> {
    const sound: Manifest[] = [];
    const damaged: string[] = [];
    const entries = existsSync(this.root) ? readdirSync(this.root, { withFileTypes: true }) : [];
    for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))) {
      // A folder without any file of a run belongs to a run whose start was killed, or to something else.
      if (!RUN_FILES.some((file) => existsSync(this.path(name, file)))) continue;
      try {
        sound.push(await this.manifest(name));
      } catch (cause) {
        if (!(cause instanceof InputError)) throw cause;
        damaged.push(name);
      }
    }
    sound.sort(newestFirst);
    return { sound, damaged: damaged.sort() };
  }

  async manifest(runId: string): Promise<Manifest> {
    const path = this.path(runId, "manifest.json");
    if (!/^[\w.-]+$/.test(runId) || !existsSync(path)) {
      throw unknownRun(runId);
    }
    let manifest: Manifest;
    try {
      manifest = manifestSchema.parse(JSON.parse(readFileSync(path, "utf8")));
      if (manifest.run_id !== runId) throw new Error("the manifest of another run");
    } catch {
      throw new InputError(
        "bad_manifest",
        `${path}: not a run manifest`,
        "Restore the file, or delete the run: `defensible runs delete`.",
      );
    }
    // If a process was killed after renaming the file but before updating the manifest, the run is nevertheless finished.
    return existsSync(this.path(runId, "audits.parquet")) ? { ...manifest, status: "sealed" } : manifest;
  }

  async create(manifest: Manifest): Promise<RunWriter> {
    const folder = join(this.root, manifest.run_id);
    // The folder appears together with its manifest, so a process killed in between leaves nothing that looks like a run.
    const aside = join(this.root, `.${manifest.run_id}.tmp`);
    try {
      mkdirSync(aside, { recursive: true });
      writeFileAtomic(join(aside, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
      renameSync(aside, folder);
    } catch (cause) {
      rmSync(aside, { recursive: true, force: true });
      throw fileError(cause, folder);
    }
    syncFolder(this.root);
    const unlock = acquireLock(join(folder, "lock"), `run ${manifest.run_id}`);
    return new IndexedRunWriter(
      manifest,
      new RunIndex(),
      new RunFolder(folder, new LineLog(join(folder, "audits.jsonl")), unlock),
    );
  }

  async open(runId: string): Promise<RunWriter> {
    const manifest = await this.manifest(runId);
    const folder = join(this.root, runId);
    if (manifest.status === "sealed") {
      await this.finishSealing(runId);
      throw sealedRun(runId);
    }
    const unlock = acquireLock(join(folder, "lock"), `run ${runId}`);
    sweepTemporary(folder);
    try {
      const log = new LineLog(join(folder, "audits.jsonl"));
      return new IndexedRunWriter(manifest, await RunIndex.read(log.path), new RunFolder(folder, log, unlock));
    } catch (cause) {
      unlock();
      throw cause;
    }
  }

  async withRunLock<T>(work: () => Promise<T>): Promise<T> {
    mkdirSync(this.root, { recursive: true });
    const unlock = await waitForLock(join(this.root, "start.lock"), "the start of a run");
    try {
      return await work();
    } finally {
      unlock();
    }
  }

  raw(runId: string): RawStore {
    return rawFile(this.path(runId, RAW_LOG_NAME));
  }

  batches(runId: string): BatchStore {
    return new BatchFiles(this.path(runId, "batch"));
  }

  async copyRaw(from: string, to: string): Promise<void> {
    const [own, target] = [this.path(from, RAW_LOG_NAME), this.path(to, RAW_LOG_NAME)];
    if (existsSync(own) && !existsSync(target)) copyFileSync(own, target);
  }

  async finishSealing(runId: string): Promise<void> {
    if (!existsSync(this.path(runId, "audits.parquet")) || !existsSync(this.path(runId, "audits.jsonl"))) return;
    const manifest = await this.manifest(runId);
    writeFileAtomic(this.path(runId, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const name of ["audits.jsonl", "lock", "audits.parquet.tmp", "audits.parquet.sorted.tmp"]) {
      rmSync(this.path(runId, name), { force: true });
    }
  }

  async snapshot(runId: string): Promise<AuditSource> {
    const parquet = this.path(runId, "audits.parquet");
    if (existsSync(parquet)) return { path: parquet, format: "parquet", own: true };
    return { path: this.path(runId, "audits.jsonl"), format: "jsonl", own: true };
  }

  async *audits(runId: string): AsyncGenerator<Audit[]> {
    const source = await this.snapshot(runId);
    if (source.format === "parquet") yield* parquetAudits(source.path);
    else yield* jsonlAudits(source.path);
  }

  async delete(runId: string): Promise<void> {
    if (!(await this.damaged()).includes(runId)) await this.manifest(runId);
    const unlock = acquireLock(this.path(runId, "lock"), `run ${runId}`);
    try {
      rmSync(join(this.root, runId), { recursive: true });
    } catch (cause) {
      unlock();
      throw fileError(cause, join(this.root, runId));
    }
  }

  private path(runId: string, name: string): string {
    return join(this.root, runId, name);
  }
}

const RUN_FILES = ["manifest.json", "audits.jsonl", "audits.parquet"];

async function* jsonlAudits(path: string): AsyncGenerator<Audit[]> {
  if (!existsSync(path)) return;
  const live = (await RunIndex.read(path)).liveOffsets();
  for await (const lines of readLines(path)) {
    const batch: Audit[] = [];
    for (const line of lines) {
      const audit = live.has(line.offset) ? parseRow<Audit & { outcome: Audit["outcome"] }>(line) : null;
      if (audit) batch.push(audit);
    }
    if (batch.length) yield batch;
  }
}

export async function* parquetAudits(path: string): AsyncGenerator<Audit[]> {
  const db = await openDuckDB();
  try {
    const sql = `SELECT to_json(a)::VARCHAR AS json FROM read_parquet(${sqlString(path)}, hive_partitioning = false) AS a`;
    for await (const rows of db.stream<{ json: string }>(sql)) yield rows.map((row) => JSON.parse(row.json));
  } finally {
    db.close();
  }
}

/** The folder of a run, for its writer. */
class RunFolder implements RunBody {
  constructor(
    private readonly folder: string,
    private readonly log: LineLog,
    private readonly unlock: () => void,
  ) {}

  get end(): number {
    return this.log.end;
  }

  append(lines: readonly string[]): number[] {
    return this.log.append(lines);
  }

  save(manifest: Manifest): void {
    writeFileAtomic(join(this.folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  }

  seal(index: RunIndex): Promise<void> {
    return sealToParquet(this.log, index, join(this.folder, "audits.parquet"));
  }

  close(): Promise<void> {
    return this.log.close();
  }

  release(sealed: boolean): void {
    if (sealed) rmSync(this.log.path, { force: true });
    this.unlock();
  }
}

/** Model answers in a compressed file. */
function rawFile(path: string): RawStore {
  return {
    open(run, auditor) {
      return new RawLog(path, run, auditor);
    },
    read: async () => (existsSync(path) ? RawReader.open(path) : null),
  };
}

/** The folder `batch` of a run: `<n>.json` with the receipts of a part and `<n>.ids` with its questions. */
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
