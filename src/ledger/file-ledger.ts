import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Audit, auditKey } from "../domain/audit.js";
import { type Manifest, manifestSchema } from "../domain/manifest.js";
import { BusyError, InputError } from "../errors.js";
import { sqlString } from "./audit-columns.js";
import { openDuckDB } from "./duckdb.js";
import { fileError, writeFileAtomic } from "./files.js";
import type { AuditSource, Ledger, RunWriter } from "./ledger.js";
import { LineLog } from "./line-log.js";
import { acquireLock } from "./lock.js";
import { readLines } from "./read-lines.js";
import { parseRow, RunIndex } from "./run-index.js";
import { sealToParquet } from "./seal.js";

/**
 * Runs as folders: `audits.jsonl` while a run lives, `audits.parquet` once it is sealed; where both exist the Parquet wins.
 * A DuckDB database file was rejected: one writing process locks out every reader.
 */
export class FileLedger implements Ledger {
  /** @param root the `runs` folder of a workspace; it need not exist yet. */
  constructor(private readonly root: string) {}

  async list(): Promise<Manifest[]> {
    if (!existsSync(this.root)) return [];
    const manifests: Manifest[] = [];
    for (const entry of readdirSync(this.root, { withFileTypes: true })) {
      // A folder without a manifest is a run whose start was killed: it holds nothing.
      if (!entry.isDirectory() || !existsSync(this.path(entry.name, "manifest.json"))) continue;
      try {
        manifests.push(await this.manifest(entry.name));
      } catch (cause) {
        if (!(cause instanceof InputError)) throw cause;
      }
    }
    return manifests.sort((a, b) => compare(b.created_at, a.created_at) || compare(b.run_id, a.run_id));
  }

  /** Runs whose manifest cannot be read: they are in nobody's way, and can be deleted. */
  async damaged(): Promise<string[]> {
    if (!existsSync(this.root)) return [];
    const good = new Set((await this.list()).map((run) => run.run_id));
    const folders = readdirSync(this.root).filter((name) => existsSync(this.path(name, "manifest.json")));
    return folders.filter((name) => !good.has(name)).sort();
  }

  async manifest(runId: string): Promise<Manifest> {
    const path = this.path(runId, "manifest.json");
    if (!/^[\w.-]+$/.test(runId) || !existsSync(path)) {
      throw new InputError("unknown_run", `run: there is no run "${runId}"`, "`defensible runs` lists what there is.");
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
    // A process killed between the renaming and its note of it left a finished run.
    return existsSync(this.path(runId, "audits.parquet")) ? { ...manifest, status: "sealed" } : manifest;
  }

  async create(manifest: Manifest): Promise<RunWriter> {
    const folder = join(this.root, manifest.run_id);
    try {
      mkdirSync(this.root, { recursive: true });
      mkdirSync(folder);
    } catch (cause) {
      throw fileError(cause, folder);
    }
    const unlock = acquireLock(join(folder, "lock"), `run ${manifest.run_id}`);
    writeFileAtomic(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    return new FileRunWriter(folder, manifest, new LineLog(join(folder, "audits.jsonl")), new RunIndex(), unlock);
  }

  async open(runId: string): Promise<RunWriter> {
    const manifest = await this.manifest(runId);
    const folder = join(this.root, runId);
    if (manifest.status === "sealed") {
      this.tidy(runId, manifest);
      throw new InputError("run_sealed", `run ${runId}: it is finished and sealed`, "Start another with --new.");
    }
    const unlock = acquireLock(join(folder, "lock"), `run ${runId}`);
    try {
      const log = new LineLog(join(folder, "audits.jsonl"));
      return new FileRunWriter(folder, manifest, log, await RunIndex.read(log.path), unlock);
    } catch (cause) {
      unlock();
      throw cause;
    }
  }

  /** Runs something while no other process does the same: for finding a run and starting it. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    mkdirSync(this.root, { recursive: true });
    const unlock = await patiently(() => acquireLock(join(this.root, "start.lock"), "the start of a run"));
    try {
      return await work();
    } finally {
      unlock();
    }
  }

  /** Copies a file of one run into the folder of another, unless it is there. */
  copyBeside(from: string, to: string, name: string): void {
    if (existsSync(this.path(from, name)) && !existsSync(this.path(to, name))) {
      copyFileSync(this.path(from, name), this.path(to, name));
    }
  }

  /** Finishes what a killed sealing left undone. */
  tidy(runId: string, manifest: Manifest): void {
    if (!existsSync(this.path(runId, "audits.jsonl"))) return;
    writeFileAtomic(this.path(runId, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const name of ["audits.jsonl", "lock", "audits.parquet.tmp", "audits.parquet.sorted.tmp"]) {
      rmSync(this.path(runId, name), { force: true });
    }
  }

  source(runId: string): AuditSource {
    const parquet = this.path(runId, "audits.parquet");
    if (existsSync(parquet)) return { path: parquet, format: "parquet", own: true };
    return { path: this.path(runId, "audits.jsonl"), format: "jsonl", own: true };
  }

  async *audits(runId: string): AsyncGenerator<Audit[]> {
    const source = this.source(runId);
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

class FileRunWriter implements RunWriter {
  constructor(
    private readonly folder: string,
    private current: Manifest,
    private readonly log: LineLog,
    private readonly index: RunIndex,
    private readonly unlock: () => void,
  ) {}

  get manifest(): Manifest {
    return this.current;
  }

  outcome(key: string) {
    return this.index.outcome(key);
  }

  counts() {
    return this.index.counts();
  }

  usage() {
    return this.index.usage;
  }

  annotate(notes: Record<string, unknown>): void {
    this.save({ ...this.current, ...notes, ...fixed(this.current) });
  }

  async append(audits: readonly Audit[]): Promise<void> {
    let start = this.log.end;
    const ends = this.log.append(audits.map(jsonLine));
    audits.forEach((audit, i) => {
      this.index.add(auditKey(audit.decision_id, audit.arm, audit.replicate), audit.outcome, start, ends[i]!);
      this.index.spend(audit.usage);
      start = ends[i]!;
    });
  }

  async seal(sealedAt: string): Promise<void> {
    // Counts are noted before the renaming, so that a kill right after it leaves a complete manifest.
    this.save({ ...this.current, counts: { ...this.current.counts, ...this.counts() }, sealed_at: sealedAt });
    await sealToParquet(this.log, this.index, join(this.folder, "audits.parquet"));
    this.save({ ...this.current, status: "sealed" });
    await this.log.close();
    rmSync(this.log.path, { force: true });
    this.unlock();
  }

  async close(): Promise<void> {
    if (this.current.status === "sealed") return;
    await this.log.close();
    this.save({ ...this.current, counts: { ...this.current.counts, ...this.counts() } });
    this.unlock();
  }

  private save(manifest: Manifest): void {
    this.current = manifest;
    writeFileAtomic(join(this.folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

/** What no note may change. */
function fixed({ run_id, fingerprint, status, counts }: Manifest) {
  return { run_id, fingerprint, status, counts };
}

/** The longest line, in characters. Sealing reads lines of up to 2 MB, and a character is at most three bytes. */
const MAX_LINE_CHARACTERS = 600_000;
const CUT_TEXT = 8192;

/** JSON in which a lone surrogate (half an emoji, cut by a model's token limit) is U+FFFD: other readers refuse the whole line. */
function jsonLine(audit: Audit): string {
  const json = JSON.stringify(audit);
  if (json.length > MAX_LINE_CHARACTERS) return jsonLine(slimmed(audit));
  if (!json.includes("\\ud")) return json;
  return json.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\\ufffd");
}

/** An audit whose model wrote without end: its numbers, and the beginning of its texts. */
function slimmed(audit: Audit): Audit {
  const cut = (text: string) => (text.length > CUT_TEXT ? `${text.slice(0, CUT_TEXT)}…` : text);
  const trace = Object.entries(audit.trace ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? cut(value) : value,
  ]);
  return {
    ...audit,
    trace: audit.trace ? Object.fromEntries(trace) : null,
    citation_spans: null,
    error: audit.error ? { code: audit.error.code, message: cut(audit.error.message) } : null,
  };
}

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

async function* parquetAudits(path: string): AsyncGenerator<Audit[]> {
  const db = await openDuckDB();
  try {
    const sql = `SELECT to_json(a)::VARCHAR AS json FROM read_parquet(${sqlString(path)}, hive_partitioning = false) AS a`;
    for await (const rows of db.stream<{ json: string }>(sql)) yield rows.map((row) => JSON.parse(row.json));
  } finally {
    db.close();
  }
}

/** A moment's wait is better than a refusal. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof BusyError) || tries >= 50) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
