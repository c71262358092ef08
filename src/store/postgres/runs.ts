import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BusyError, EnvironmentError, InputError } from "../../core/errors.js";
import { type Audit, auditKey } from "../../core/records/audit.js";
import { type Manifest, manifestSchema } from "../../core/records/manifest.js";
import { LineLog } from "../../io/read-lines.js";
import { newestFirst, sealedRun, unknownRun } from "../choose-run.js";
import { sealToParquet } from "../files/seal.js";
import type { AuditSource, BatchStore, Outcome, RawStore, RunStore, RunWriter } from "../ports.js";
import { auditLine, IndexedRunWriter, type RunBody, RunIndex } from "../run-index.js";
import { keyBytes, keyOf, postgresAnswers, postgresBatches } from "./answers.js";
import { erasedAmong, erasedHere } from "./chain.js";
import { columnText, type Database, type Lock, type Queries } from "./database.js";
import { cacheMark, erasuresOf } from "./erasure.js";

const BATCH = 500;

/** Runs in a database. The analysis reads files made in a folder; those of a sealed run are made once. */
export class PostgresRuns implements RunStore {
  constructor(
    private readonly database: Database,
    private readonly workspace: string,
    private readonly folder: () => string,
  ) {}

  async list(): Promise<Manifest[]> {
    return (await this.survey()).sound.sort(newestFirst);
  }

  async damaged(): Promise<string[]> {
    return (await this.survey()).damaged;
  }

  private async survey(): Promise<{ sound: Manifest[]; damaged: string[] }> {
    const rows = await this.database.rows<{ run_id: string; manifest: unknown }>(
      "select run_id, manifest from defensible.run where workspace_id = $1 order by run_id",
      [this.workspace],
    );
    const read = rows.map(({ run_id, manifest }) => ({ run_id, ...manifestSchema.safeParse(manifest) }));
    return {
      sound: read.flatMap(({ data }) => (data ? [data as Manifest] : [])),
      damaged: read.filter(({ success }) => !success).map(({ run_id }) => run_id),
    };
  }

  async manifest(runId: string): Promise<Manifest> {
    const [row] = await this.database.rows<{ manifest: unknown }>(
      "select manifest from defensible.run where workspace_id = $1 and run_id = $2",
      [this.workspace, columnText(runId)],
    );
    if (!row) throw unknownRun(runId);
    const parsed = manifestSchema.safeParse(row.manifest);
    if (parsed.success) return parsed.data as Manifest;
    throw new InputError("bad_manifest", `run ${runId}: its manifest cannot be understood`, "Delete the run.");
  }

  async create(manifest: Manifest): Promise<RunWriter> {
    const { run_id } = manifest;
    const lock = await this.hold(run_id);
    try {
      const made = await this.database.rows(
        "insert into defensible.run (workspace_id, run_id, manifest) values ($1, $2, $3::json) on conflict do nothing returning 1",
        [this.workspace, run_id, JSON.stringify(manifest)],
      );
      if (made.length === 0) throw new InputError("run_exists", `run ${run_id}: there is one already`);
      return new IndexedRunWriter(manifest, new RunIndex(), this.body(run_id, lock));
    } catch (cause) {
      await lock.release();
      throw cause;
    }
  }

  async open(runId: string): Promise<RunWriter> {
    const manifest = await this.manifest(runId);
    if (manifest.status === "sealed") throw sealedRun(runId);
    const lock = await this.hold(runId);
    try {
      return new IndexedRunWriter(await this.manifest(runId), await this.index(runId), this.body(runId, lock));
    } catch (cause) {
      await lock.release();
      throw cause;
    }
  }

  withRunLock<T>(work: () => Promise<T>): Promise<T> {
    return this.database.exclusive(`start ${this.workspace}`, work);
  }

  async *audits(runId: string): AsyncGenerator<Audit[]> {
    const { status } = await this.manifest(runId);
    for await (const lines of this.lines(runId, status === "sealed"))
      yield lines.map((line) => JSON.parse(line) as Audit);
  }

  /** By key, or in the order of writing. */
  private async *lines(runId: string, byKey: boolean): AsyncGenerator<string[]> {
    const column = byKey ? "key" : "seq";
    let after: Buffer | number = byKey ? Buffer.alloc(0) : 0;
    while (true) {
      const rows: { at: Buffer | number; line: string }[] = await this.database.rows(
        `select ${column} as at, record::text as line from defensible.audit
          where workspace_id = $1 and run_id = $2 and ${column} > $3 order by ${column} limit ${BATCH}`,
        [this.workspace, runId, after],
      );
      if (rows.length === 0) return;
      after = rows.at(-1)!.at;
      yield rows.map(({ line }) => line);
    }
  }

  async snapshot(runId: string): Promise<AuditSource> {
    const { status } = await this.manifest(runId);
    const [state] = await this.database.rows<{ n: number; last: number }>(
      "select count(*) as n, coalesce(max(seq), 0) as last from defensible.audit where workspace_id = $1 and run_id = $2",
      [this.workspace, runId],
    );
    const erasures = await erasuresOf(this.database, this.workspace);
    const folder = join(this.folder(), `${runId}-${state!.n}-${state!.last}${cacheMark(erasures)}`);
    const [jsonl, parquet] = [join(folder, "audits.jsonl"), join(folder, "audits.parquet")];
    if (status === "sealed" && existsSync(parquet)) return { path: parquet, format: "parquet", own: true };
    if (status !== "sealed" && existsSync(`${jsonl}.whole`)) return { path: jsonl, format: "jsonl", own: true };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(jsonl, { force: true });
    const log = new LineLog(jsonl);
    try {
      for await (const lines of this.lines(runId, false)) log.append(lines);
      if (status === "sealed") {
        await sealToParquet(log, await RunIndex.read(jsonl), parquet);
        return { path: parquet, format: "parquet", own: true };
      }
      new LineLog(`${jsonl}.whole`).close();
      return { path: jsonl, format: "jsonl", own: true };
    } finally {
      await log.close();
      if (status === "sealed") rmSync(jsonl, { force: true });
    }
  }

  raw(runId: string): RawStore {
    return postgresAnswers(this.database, this.workspace, runId, "raw");
  }

  async copyRaw(from: string, to: string): Promise<void> {
    await this.database.rows(
      `insert into defensible.answer (workspace_id, run_id, sort, key, answer)
       select workspace_id, $3, sort, key, answer from defensible.answer
        where workspace_id = $1 and run_id = $2 and sort = 'raw'
          and not exists (select 1 from defensible.answer where workspace_id = $1 and run_id = $3 and sort = 'raw') order by seq`,
      [this.workspace, from, to],
    );
  }

  batches(runId: string): BatchStore {
    return postgresBatches(this.database, this.workspace, runId);
  }

  async finishSealing(): Promise<void> {}

  async delete(runId: string): Promise<void> {
    if (!(await this.damaged()).includes(runId)) await this.manifest(runId);
    const lock = await this.hold(runId);
    try {
      await this.database.transaction(async (queries) => {
        for (const table of ["batch_part", "answer", "audit", "run"]) {
          await queries.rows(`delete from defensible.${table} where workspace_id = $1 and run_id = $2`, [
            this.workspace,
            runId,
          ]);
        }
      });
    } finally {
      await lock.release();
    }
  }

  private async hold(runId: string): Promise<Lock> {
    const lock = await this.database.hold(`run ${this.workspace} ${columnText(runId)}`);
    if (lock) return lock;
    throw new BusyError(
      "run_locked",
      `run ${runId}: another process is writing it`,
      "Wait until it has finished, or stop it.",
    );
  }

  private async index(runId: string): Promise<RunIndex> {
    const index = new RunIndex();
    const rows = await this.database.rows<{ key: Buffer; outcome: Outcome }>(
      "select key, outcome from defensible.audit where workspace_id = $1 and run_id = $2 order by seq",
      [this.workspace, runId],
    );
    rows.forEach(({ key, outcome }, i) => {
      index.add(keyOf(key), outcome, i, i + 1);
    });
    const [usage] = await this.database.rows<Record<keyof RunIndex["usage"], number>>(
      `select input_tokens, cached_input_tokens, output_tokens, cost_usd from defensible.run where workspace_id = $1 and run_id = $2`,
      [this.workspace, runId],
    );
    Object.assign(index.usage, usage);
    return index;
  }

  private body(runId: string, lock: Lock): RunBody {
    const { database, workspace } = this;
    let end = 0;
    return {
      get end() {
        return end;
      },
      append: async (lines, audits) => {
        if (lock.isLost()) throw lostRun(runId);
        if (lines.length)
          await database.transaction((queries) => writeAudits(queries, workspace, runId, lines, audits));
        end += lines.length;
        return lines.map((_, i) => end - lines.length + i + 1);
      },
      save: async (manifest) => {
        if (lock.isLost()) throw lostRun(runId);
        await saveManifest(database, workspace, manifest);
      },
      seal: async () => {},
      close: async () => {},
      release: () => lock.release(),
    };
  }
}

const ON_CONFLICT = {
  replace: `do update set seq = excluded.seq, community = excluded.community, decision = excluded.decision,
       outcome = excluded.outcome, level = excluded.level, inverse = excluded.inverse, record = excluded.record, written_at = now()`,
  keep: "do nothing",
};

/**
 * Writes audits of a run, without quotations if the decision was erased meanwhile. A key's later audit replaces the earlier or is dropped; both costs
 * count.
 */
async function writeAudits(
  queries: Queries,
  workspace: string,
  runId: string,
  lines: readonly string[],
  audits: readonly Audit[],
  onConflict: keyof typeof ON_CONFLICT = "replace",
): Promise<Outcome[]> {
  const rows = new Map(audits.map((audit, i) => [auditKey(audit.decision_id, audit.arm, audit.replicate), i]));
  const ids = [...new Set(audits.map(({ decision_id }) => decision_id))];
  const erased = await erasedAmong(queries, workspace, ids);
  const lineOf = (i: number) =>
    erased.has(audits[i]!.decision_id) ? JSON.stringify(erasedHere(audits[i]!)) : lines[i]!;
  const newest = [...rows].map(([key, i]) => ({ key: keyBytes(key), audit: audits[i]!, line: lineOf(i) }));
  const column = <T>(of: (row: (typeof newest)[number]) => T) => newest.map(of);
  const written = await queries.rows<{ outcome: Outcome }>(
    `insert into defensible.audit (workspace_id, run_id, key, decision_id, arm, replicate, community, decision, outcome, level, inverse, record)
     select $1, $2, * from unnest($3::bytea[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::text[], $10::smallint[],
       $11::text[], $12::json[])
     on conflict (workspace_id, run_id, key) ${ON_CONFLICT[onConflict]} returning outcome`,
    [
      workspace,
      runId,
      column(({ key }) => key),
      column(({ audit }) => columnText(audit.decision_id)),
      column(({ audit }) => columnText(audit.arm)),
      column(({ audit }) => audit.replicate),
      column(({ audit }) => columnText(audit.community)),
      column(({ audit }) => columnText(audit.decision)),
      column(({ audit }) => audit.outcome),
      column(({ audit }) => audit.level ?? null),
      column(({ audit }) => audit.inverse ?? null),
      column(({ line }) => line),
    ],
  );
  const spent = new RunIndex();
  for (const audit of audits) spent.spend(audit.usage);
  const { input_tokens, cached_input_tokens, output_tokens, cost_usd } = spent.usage;
  await queries.rows(
    `update defensible.run set input_tokens = input_tokens + $3, cached_input_tokens = cached_input_tokens + $4,
       output_tokens = output_tokens + $5, cost_usd = cost_usd + $6 where workspace_id = $1 and run_id = $2`,
    [workspace, runId, input_tokens, cached_input_tokens, output_tokens, cost_usd],
  );
  return written.map(({ outcome }) => outcome);
}

function lostRun(runId: string): EnvironmentError {
  return new EnvironmentError(
    "run_lost",
    `run ${runId}: the connection that held it broke, and another process may be writing it`,
    "Repeat the command: what was written is kept.",
  );
}

const COUNTED = { verdict: "verdicts", unscored: "unscored", error: "errors" } as const;

/**
 * Writes audits of a live run, which is created if it is missing; any number of processes may write. The first audit of a decision stays, whichever
 * run it is in, so a job that runs twice changes nothing the second time. Returns what was written.
 */
export function appendLive(
  database: Database,
  workspace: string,
  manifest: Manifest,
  audits: readonly Audit[],
): Promise<Audit[]> {
  return database.transaction(async (queries) => {
    await queries.rows("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`live ${workspace}`]);
    const there = await queries.rows<{ decision_id: string }>(
      `select distinct decision_id from defensible.audit
        where workspace_id = $1 and decision_id = any($2::text[]) and arm = '' and replicate = 0`,
      [workspace, audits.map(({ decision_id }) => columnText(decision_id))],
    );
    const known = new Set(there.map(({ decision_id }) => decision_id));
    const fresh = audits.filter(({ decision_id }) => !known.has(columnText(decision_id)));
    if (fresh.length === 0) return [];
    const run = await liveRun(queries, workspace, manifest);
    const own = fresh.map((audit) => ({ ...audit, run_id: run.run_id }));
    const written = await writeAudits(queries, workspace, run.run_id, own.map(auditLine), own, "keep");
    run.counts.planned += written.length;
    for (const outcome of written) run.counts[COUNTED[outcome]]++;
    await saveManifest(queries, workspace, run);
    return own;
  });
}

/** A member as written in a manifest. */
const member = (name: string, value: string) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/**
 * Open runs, locked, in the order of their ids. They are found by text search: PostgreSQL cannot extract a member from JSON in which some text has a
 * NUL or a lone surrogate, as the names of auditors that clients send may.
 */
async function openRuns(queries: Queries, workspace: string, written = ""): Promise<Manifest[]> {
  const rows = await queries.rows<{ manifest: Manifest }>(
    `select manifest from defensible.run
      where workspace_id = $1 and position($2 in manifest::text) > 0 and position($3 in manifest::text) > 0 order by run_id for update`,
    [workspace, member("status", "open"), written],
  );
  return rows.map(({ manifest }) => manifest).filter(({ status }) => status === "open");
}

/** The open run of a fingerprint, locked until the transaction ends so that it is not sealed in the meantime. */
async function liveRun(queries: Queries, workspace: string, manifest: Manifest): Promise<Manifest> {
  const open = await openRuns(queries, workspace, member("fingerprint", manifest.fingerprint));
  const there = open.find(({ fingerprint }) => fingerprint === manifest.fingerprint);
  if (there) return there;
  await queries.rows("insert into defensible.run (workspace_id, run_id, manifest) values ($1, $2, $3::json)", [
    workspace,
    manifest.run_id,
    JSON.stringify(manifest),
  ]);
  return manifest;
}

/** Seals live runs of past days. Returns their ids. A late audit goes to the run of its own day. */
export function sealLive(database: Database, workspace: string, now: Date): Promise<string[]> {
  return database.transaction(async (queries) => {
    const today = now.toISOString().slice(0, 10);
    const over = (await openRuns(queries, workspace)).filter(({ selection: { live } }) => live && live < today);
    for (const manifest of over) {
      await saveManifest(queries, workspace, { ...manifest, status: "sealed", sealed_at: now.toISOString() });
    }
    return over.map(({ run_id }) => run_id);
  });
}

async function saveManifest(queries: Queries, workspace: string, manifest: Manifest): Promise<void> {
  await queries.rows("update defensible.run set manifest = $3::json where workspace_id = $1 and run_id = $2", [
    workspace,
    manifest.run_id,
    JSON.stringify(manifest),
  ]);
}
