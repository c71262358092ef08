import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeGeneration, encodeGeneration } from "../../auditors/recorded/generation-codec.js";
import { BusyError, InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import type { Manifest } from "../../core/records/manifest.js";
import { LineLog } from "../../io/read-lines.js";
import { newestFirst, sealedRun, unknownRun } from "../choose-run.js";
import { sealToParquet } from "../files/seal.js";
import type { AuditSource, BatchPart, BatchStore, RawStore, RunStore, RunWriter } from "../ports.js";
import { erasedAudit, questionIds } from "../records/erased.js";
import { IndexedRunWriter, type RunBody, RunIndex } from "../run-index.js";

interface Run {
  manifest: Manifest;
  /** Audits as lines of JSON, so that callers cannot change stored data. */
  lines: string[];
  /** Key -> line number. */
  index: RunIndex;
  busy: boolean;
  /** The snapshot: its number of lines, whether the run was sealed then, and the folder's removal count at that time. */
  taken: { source: AuditSource; lines: number; sealed: boolean; removals: number } | null;
  raw: Map<string, string>;
  /** Batch answers, by the names of questions. */
  collected: Map<string, string>;
  batches: BatchStore;
}

/** A temporary folder for the analysis, because DuckDB reads files. */
export class SnapshotFolder {
  private folder: string | null = null;
  /** How often the folder was removed; each removal deletes what was written before. */
  removals = 0;

  path(): string {
    this.folder ??= mkdtempSync(join(tmpdir(), "defensible-runs-"));
    return this.folder;
  }

  remove(): void {
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
    this.folder = null;
    this.removals++;
  }
}

/** Runs in memory. Snapshots are written to files. */
export class MemoryRunStore implements RunStore {
  private readonly kept = new Map<string, Run>();
  readonly withRunLock = turns();

  constructor(private readonly snapshots = new SnapshotFolder()) {}

  async list(): Promise<Manifest[]> {
    return [...this.kept.values()].map(({ manifest }) => structuredClone(manifest)).sort(newestFirst);
  }

  async damaged(): Promise<string[]> {
    return [];
  }

  async manifest(runId: string): Promise<Manifest> {
    return structuredClone(this.run(runId).manifest);
  }

  async create(manifest: Manifest): Promise<RunWriter> {
    const { run_id } = manifest;
    if (this.kept.has(run_id)) throw new InputError("run_exists", `run ${run_id}: there is one already`);
    const index = new RunIndex();
    const collected = new Map<string, string>();
    const kept = { raw: new Map(), collected, batches: memoryBatches(collected) };
    const run: Run = { manifest, lines: [], index, busy: false, taken: null, ...kept };
    this.kept.set(run_id, run);
    return this.writer(run);
  }

  async open(runId: string): Promise<RunWriter> {
    const run = this.run(runId);
    if (run.manifest.status === "sealed") throw sealedRun(runId);
    if (run.busy) throw busy(runId);
    return this.writer(run);
  }

  async *audits(runId: string): AsyncGenerator<Audit[]> {
    const { lines, index, manifest } = this.run(runId);
    const live = index.liveOffsets();
    const rows = manifest.status === "sealed" ? sortedRows(index) : [...lines.keys()].filter((row) => live.has(row));
    for (let from = 0; from < rows.length; from += BATCH) {
      yield rows.slice(from, from + BATCH).map((row) => JSON.parse(lines[row]!) as Audit);
    }
  }

  async snapshot(runId: string): Promise<AuditSource> {
    const run = this.run(runId);
    const sealed = run.manifest.status === "sealed";
    const { taken } = run;
    const { removals } = this.snapshots;
    if (taken?.lines === run.lines.length && taken.sealed === sealed && taken.removals === removals)
      return taken.source;
    const folder = join(this.snapshots.path(), `${runId}-${run.lines.length}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "audits.jsonl");
    rmSync(path, { force: true });
    const log = new LineLog(path);
    log.append(run.lines);
    let source: AuditSource = { path, format: "jsonl", own: true };
    if (sealed) {
      source = { path: join(folder, "audits.parquet"), format: "parquet", own: true };
      await sealToParquet(log, await RunIndex.read(path), source.path);
    }
    await log.close();
    run.taken = { source, lines: run.lines.length, sealed, removals };
    return source;
  }

  raw(runId: string): RawStore {
    return memoryRaw(this.run(runId).raw);
  }

  async copyRaw(from: string, to: string): Promise<void> {
    const target = this.run(to);
    if (target.raw.size === 0) target.raw = new Map(this.run(from).raw);
  }

  batches(runId: string): BatchStore {
    return this.run(runId).batches;
  }

  async finishSealing(): Promise<void> {}

  async delete(runId: string): Promise<void> {
    if (this.run(runId).busy) throw busy(runId);
    this.kept.delete(runId);
  }

  /** Erases texts of decisions in every run. Returns the number of changed audits and answers, by run. */
  erase(ids: ReadonlySet<string>, dryRun: boolean): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [runId, run] of this.kept) {
      if (run.busy && !dryRun) throw busy(runId);
      const lines = run.lines.map((line) => {
        const audit = JSON.parse(line) as Audit;
        return ids.has(audit.decision_id) ? JSON.stringify(erasedAudit(audit)) : line;
      });
      const answers = [...run.raw.keys()].filter((key) => ids.has(key.split("\u0000")[0]!));
      const asked = run.collected.size > 0 ? questionIds(run.manifest, ids) : new Set<string>();
      const collected = [...run.collected.keys()].filter((name) => asked.has(name));
      const changed = lines.filter((line, i) => line !== run.lines[i]).length + answers.length + collected.length;
      if (changed > 0) counts.set(runId, changed);
      if (dryRun) continue;
      run.lines = lines;
      for (const key of answers) run.raw.delete(key);
      for (const name of collected) run.collected.delete(name);
    }
    if (!dryRun) this.snapshots.remove();
    return counts;
  }

  /** Removes the files of snapshots. */
  close(): void {
    this.snapshots.remove();
  }

  private run(runId: string): Run {
    const run = this.kept.get(runId);
    if (!run) throw unknownRun(runId);
    return run;
  }

  private writer(run: Run): RunWriter {
    run.busy = true;
    const body: RunBody = {
      get end() {
        return run.lines.length;
      },
      append: (lines) => lines.map((line) => run.lines.push(line)),
      save: (manifest) => {
        run.manifest = structuredClone(manifest);
      },
      seal: async () => {},
      close: async () => {},
      release: () => {
        run.busy = false;
      },
    };
    return new IndexedRunWriter(run.manifest, run.index, body);
  }
}

const BATCH = 256;

function sortedRows(index: RunIndex): number[] {
  return [...index.sortedRanges()].flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, i) => start + i),
  );
}

function busy(runId: string): BusyError {
  return new BusyError("run_locked", `run ${runId}: it is being written`, "Close its writer first.");
}

/** Answers in memory. */
function memoryRaw(kept = new Map<string, string>()): RawStore {
  return {
    open: () => ({
      append: async (key, generation) => void kept.set(key, encodeGeneration(generation)),
      close: async () => {},
    }),
    async read() {
      const answers = new Map(kept);
      if (answers.size === 0) return null;
      return {
        keys: () => answers.keys(),
        async get(key) {
          const text = answers.get(key);
          return text === undefined ? null : decodeGeneration(text);
        },
        close: async () => {},
      };
    },
  };
}

function memoryBatches(answers: Map<string, string>): BatchStore {
  const kept = new Map<number, { part: BatchPart; ids: string[] }>();
  return {
    answers: memoryRaw(answers),
    parts: async () => structuredClone([...kept.values()].map(({ part }) => part)),
    ids: async (part) => [...(kept.get(part)?.ids ?? [])],
    async begin(ids) {
      const part = { part: Math.max(0, ...kept.keys()) + 1, handles: [], sent: false, collected: false };
      kept.set(part.part, { part, ids: [...ids] });
      return structuredClone(part);
    },
    async save(part) {
      kept.set(part.part, { ids: kept.get(part.part)?.ids ?? [], part: structuredClone(part) });
    },
    forget: async ({ part }) => void kept.delete(part),
  };
}

/** Runs tasks one after the other, in the order of calls. */
export function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
