import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BusyError, InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import { type Manifest, manifestSchema } from "../../core/records/manifest.js";
import type { ExperimentKind } from "../../core/results/experiment.js";
import { fileError, sweepTemporary, syncFolder, writeFileAtomic } from "../../io/files.js";
import { LineLog } from "../../io/line-log.js";
import { acquireLock } from "../../io/lock.js";
import { readLines } from "../../io/read-lines.js";
import { sqlString } from "./audit-columns.js";
import { openDuckDB } from "./duckdb.js";
import { FileRunWriter } from "./file-run-writer.js";
import type { AuditSource, Ledger, RunWriter } from "./ledger.js";
import { noRuns } from "./plain-run.js";
import { parseRow, RunIndex } from "./run-index.js";

/**
 * Runs as folders: `audits.jsonl` while a run lives, `audits.parquet` once it is sealed; where both exist the Parquet wins.
 * A DuckDB database file was rejected: one writing process locks out every reader.
 */
export class FileLedger implements Ledger {
  /** @param root the `runs` folder of a workspace; it need not exist yet. */
  constructor(private readonly root: string) {}

  /** Sound runs only: who chooses among them by time asks `newest`, or `refuseDamaged`. */
  async list(): Promise<Manifest[]> {
    return (await this.survey()).sound;
  }

  /** Runs whose manifest is lost or cannot be read. They can be deleted. */
  async damaged(): Promise<string[]> {
    return (await this.survey()).damaged;
  }

  /** Sound runs that audit decisions as they stand, newest first: an experiment's run is analysed by its own command. */
  async ordinary(): Promise<Manifest[]> {
    return (await this.list()).filter((run) => run.experiment === undefined);
  }

  /** The newest ordinary run, if there is one. Refuses while a damaged run may be newer: an older one must not be taken for it without a word. */
  async newest(): Promise<Manifest | undefined> {
    const [newest] = await this.ordinary();
    await this.refuseDamaged(newest);
    return newest;
  }

  /** The run of that name; without one, or with "newest", the newest ordinary run. */
  async chosen(runId = "newest"): Promise<Manifest> {
    const manifest = runId === "newest" ? await this.newest() : await this.manifest(runId);
    return manifest ?? noRuns(await this.list());
  }

  /** The run of that name; with "newest" the newest run of an experiment, of those that fit. */
  async chosenOf(
    kind: ExperimentKind,
    runId: string,
    fits: (run: Manifest) => boolean = () => true,
  ): Promise<Manifest> {
    if (runId !== "newest") return this.manifest(runId);
    const newest = (await this.list()).find((run) => run.experiment?.kind === kind && fits(run));
    await this.refuseDamaged(newest);
    if (newest) return newest;
    throw new InputError(
      "no_runs",
      `runs: the workspace has none of experiment ${kind}`,
      "Leave out --run to make one, or name a run: `defensible runs` lists what there is.",
    );
  }

  /** Damaged runs; where a run is given, those that may be newer. */
  async damagedSince(than?: Manifest): Promise<string[]> {
    return (await this.damaged()).filter((name) => !than || mayBeNewer(name, than.run_id));
  }

  /** Refuses if there are damaged runs, or where a run is given, if there are such that may be newer. */
  async refuseDamaged(than?: Manifest): Promise<void> {
    const [first, ...more] = (await this.damagedSince(than)).reverse();
    if (first === undefined) return;
    const others = more.length > 0 ? ` (and ${more.length} more)` : "";
    throw new InputError(
      "damaged_run",
      `run ${first}${others}: its manifest.json cannot be read, so that nobody knows whether it is the run that is meant`,
      `Restore the file, delete the run with \`defensible runs delete ${first}\`, or name another with --run.`,
    );
  }

  private async survey(): Promise<{ sound: Manifest[]; damaged: string[] }> {
    const sound: Manifest[] = [];
    const damaged: string[] = [];
    const entries = existsSync(this.root) ? readdirSync(this.root, { withFileTypes: true }) : [];
    for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))) {
      // A folder with nothing of a run is one whose start was killed, or somebody else's.
      if (!RUN_FILES.some((file) => existsSync(this.path(name, file)))) continue;
      try {
        sound.push(await this.manifest(name));
      } catch (cause) {
        if (!(cause instanceof InputError)) throw cause;
        damaged.push(name);
      }
    }
    sound.sort((a, b) => compare(b.created_at, a.created_at) || compare(b.run_id, a.run_id));
    return { sound, damaged: damaged.sort() };
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
    // It appears with its manifest: a process killed in between leaves nothing that looks like a run.
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
    sweepTemporary(folder);
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

const RUN_FILES = ["manifest.json", "audits.jsonl", "audits.parquet"];

/** Ids of runs begin with the time of their start; of any other name nobody knows. */
function mayBeNewer(name: string, than: string): boolean {
  const stamp = /^\d{8}T\d{6}Z(?=-)/;
  const [own, others] = [stamp.exec(name)?.[0], stamp.exec(than)?.[0]];
  return !own || !others || own >= others;
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
