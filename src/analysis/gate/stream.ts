import type { GateKey } from "../../core/gate.js";
import type { GateVariable } from "../../core/names.js";
import type { WatchRow } from "../../measures/gate/drift/watch-types.js";
import { type Duck, instant, UTC } from "../../store/files/duckdb.js";
import type { AuditSource } from "../../store/ports.js";
import { MAIN_ROWS } from "../audit-cells.js";
import type { MoreColumn } from "../audit-select.js";
import { type AuditTable, openAuditTable } from "../audit-table.js";
import { COUNTED, type CohortRow, cohortColumns, numberCohorts, rowKey, sameFields, selectColumns } from "./cohorts.js";
import { THREAD_OPEN_MS } from "./counts.js";

/** Columns with which a table must have been opened before its rows are collected for watching. */
export const WATCH_COLUMNS = [
  "thread_id",
  "decided_at",
  "created_at",
  "auditor",
  "auditor_version",
  "prompt_version",
  "ruleset_version",
] as const satisfies readonly MoreColumn[];

/** The time of the earliest decision with a verdict in each cohort, as ISO time; cohorts with a verdict of unknown time are left out. */
export async function firstDecisions(table: AuditTable, by: readonly GateKey[]): Promise<Map<string, string>> {
  await table.db.run(UTC);
  const rows = await table.db.rows<CohortRow & { first: number | null }>(
    `SELECT ${selectColumns(cohortColumns(by))}, CASE WHEN count(*) = count(decided) THEN min(decided)::DOUBLE END AS first
     FROM (SELECT *, ${instant("decided_at")} AS decided FROM audits) AS audits
     WHERE ${MAIN_ROWS} AND cell >= 0 GROUP BY ALL ORDER BY first NULLS FIRST`,
  );
  const first = new Map<string, number | null>();
  for (const row of rows) {
    const key = rowKey(by, row);
    if (!first.has(key)) first.set(key, row.first);
  }
  return new Map([...first].flatMap(([key, ms]) => (ms === null ? [] : [[key, new Date(ms).toISOString()]])));
}

/** A thread of verdicts, or one verdict, as input to the watch of a fleet: `time` is that of its first verdict, `decided` of all of them. */
export type StreamRow = Required<WatchRow>;

/** Which threads to read. */
interface ReadOptions {
  wanted: ReadonlySet<string>;
  variable: GateVariable;
  cap: number;
  /** Milliseconds since 1970: now, and the time of the last watch that knew threads (null: no such watch). */
  now: number;
  before: number | null;
}

interface ReadCounts {
  /** Verdicts of the threads read. */
  taken: number;
  /** Verdicts of threads that are still open, and verdicts that arrived after their thread was closed or watched. */
  waiting: number;
  late: number;
}

/**
 * The verdicts of several runs in order of time, for watching. Runs of one epoch (the same auditor and prompt) are merged by the time of the
 * decision, or of the audit if that is missing; verdicts with an unreadable time come first. A decision in several runs is read once, as first
 * audited. Epochs follow each other: sorted by time alone, versions would alternate and nothing could be learned about either.
 * If some decision of a cohort has a `thread_id`, threads are returned whole, once they are closed, in the order of their first decision.
 */
export class GateStream {
  private constructor(
    private readonly db: Duck,
    private readonly by: readonly GateKey[],
  ) {}

  static async create(db: Duck, by: readonly GateKey[]): Promise<GateStream> {
    await db.run(
      `${UTC}; CREATE OR REPLACE TABLE watched (epoch INTEGER, run INTEGER, seen BOOLEAN, place BIGINT, decision_id VARCHAR, thread_id VARCHAR, moment BIGINT, decided BOOLEAN, version VARCHAR,
        indefensible BOOLEAN, yes BOOLEAN, pure BOOLEAN, community VARCHAR, decision VARCHAR, language VARCHAR, scope VARCHAR, rule_id VARCHAR)`,
    );
    return new GateStream(db, by);
  }

  /** Adds the verdicts of a table of this database, opened with `WATCH_COLUMNS`; `seen`: they were in an earlier watch. */
  async add(table: AuditTable, epoch: number, run: number, seen = false): Promise<void> {
    const version = ["auditor", "auditor_version", "prompt_version", "ruleset_version"]
      .map((column) => `coalesce(${column}, '?')`)
      .join(" || ' · ' || ");
    const fields: (keyof CohortRow)[] = ["community", "decision", "language", "scope", "rule_id"];
    await table.db.run(
      `INSERT INTO watched SELECT ${epoch}, ${run}, ${seen}, row_id, decision_id, thread_id,
         CASE WHEN decided_at IS NULL THEN ${instant("created_at")} ELSE decided END, decided IS NOT NULL, ${version}, ${COUNTED.indefensible}, ${COUNTED.inverse_yes}, ${COUNTED.inverse_yes_pure}, ${selectColumns(fields)}
       FROM (SELECT *, ${instant("decided_at")} AS decided FROM audits) AS audits WHERE ${MAIN_ROWS} AND cell >= 0
         AND NOT EXISTS (SELECT 1 FROM watched w WHERE w.epoch = ${epoch} AND w.decision_id = audits.decision_id)`,
    );
  }

  /** Opens a run, adds its verdicts and closes it. */
  async addRun(
    source: AuditSource,
    options: { actions: AuditTable["actions"]; epoch: number; run: number; seen: boolean },
  ): Promise<void> {
    const table = await openAuditTable(this.db, source, { actions: options.actions, also: WATCH_COLUMNS });
    await this.add(table, options.epoch, options.run, options.seen);
    await this.db.run(
      "DROP VIEW audits; DROP VIEW read_audits; DROP TABLE stored_audits; DROP TABLE IF EXISTS json_lines",
    );
  }

  /**
   * Calls `take` for each closed thread of the wanted cohorts that has not been watched, in order. The row object is reused, so copy what you keep.
   * Cohorts without any `thread_id` have a row for each verdict.
   */
  async read(options: ReadOptions, take: (row: Readonly<StreamRow>) => void): Promise<ReadCounts> {
    const { wanted, variable, cap, now, before } = options;
    const select = cohortColumns(this.by).join(", ");
    const names = await numberCohorts(this.db, this.by, { relation: "watched", select, into: "watched_cohorts" });
    const unit = "epoch, number, community, thread_id, alone";
    // Earlier verdicts are done if their thread was closed by then or has no time; a cohort without threads does not wait.
    const closedBefore = before === null ? "true" : `coalesce(opening + ${THREAD_OPEN_MS} <= ${before}, true)`;
    const result = await this.db.connection.stream(
      `WITH verdicts AS (
         SELECT number, w.* EXCLUDE (community, decision, language, scope, rule_id), w.community,
           CASE WHEN thread_id IS NULL THEN run END AS alone_run, CASE WHEN thread_id IS NULL THEN place END AS alone,
           CASE WHEN decided THEN moment END AS instant, ${variable === "ai" ? "yes" : "pure"} AS ambiguous,
           count(thread_id) OVER (PARTITION BY number) > 0 AS threaded
         FROM watched w JOIN watched_cohorts c ON ${sameFields(this.by, "w", "c")}),
       timed AS (SELECT *, min(instant) OVER (PARTITION BY ${unit}, alone_run) AS opening FROM verdicts),
       placed AS (SELECT *, NOT threaded OR instant IS NULL OR instant <= opening + ${THREAD_OPEN_MS} AS on_time FROM timed),
       units AS (
         SELECT epoch, number, min(moment) FILTER (on_time) AS started, any_value(threaded) AS threaded,
           min(run) AS first_run, min(place) AS first_place, bool_and(decided) AS decided,
           first(version ORDER BY moment NULLS FIRST, run, place) AS version,
           bool_or(seen AND (NOT threaded OR ${closedBefore})) AS done,
           NOT any_value(threaded) OR coalesce(any_value(opening) + ${THREAD_OPEN_MS} <= ${now}, true) AS closed,
           count(*) FILTER (on_time) AS n, count(*) FILTER (on_time AND indefensible) AS bad,
           count(*) FILTER (on_time AND ambiguous) AS open,
           count(*) FILTER (NOT on_time AND NOT seen) AS late, count(*) FILTER (NOT seen) AS fresh
         FROM placed GROUP BY ${unit}, alone_run)
       SELECT number::INTEGER, n::INTEGER, bad::INTEGER, open::INTEGER, started::DOUBLE, decided, version, threaded,
         CASE WHEN done THEN 0 WHEN closed THEN 1 ELSE 2 END::INTEGER, late::INTEGER, fresh::INTEGER
       FROM units ORDER BY epoch, started NULLS FIRST, first_run, first_place`,
    );
    const row: StreamRow = {
      key: "",
      time: null,
      decided: false,
      x_indefensible: 0,
      x_ambiguous: 0,
      n: 1,
      weight: 1,
      version: "",
    };
    const counts: ReadCounts = { taken: 0, waiting: 0, late: 0 };
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      const columns = Array.from({ length: 11 }, (_, column) => chunk!.getColumnValues(column));
      for (let i = 0; i < chunk.rowCount; i++) {
        const [cohort, n, bad, open, time, decided, version, threaded, state, late, fresh] = columns.map(
          (column) => column[i],
        ) as [number, number, number, number, number | null, boolean, string, boolean, 0 | 1 | 2, number, number];
        row.key = names[cohort]!;
        if (!wanted.has(row.key)) continue;
        counts.late += state === 0 ? fresh : late;
        if (state === 2) counts.waiting += n;
        if (state !== 1) continue;
        row.x_indefensible = bad / n;
        row.x_ambiguous = open / n;
        row.n = n;
        row.weight = threaded ? Math.min(n, cap) / cap : 1;
        row.time = time;
        row.decided = decided;
        row.version = version;
        take(row);
        counts.taken += n;
      }
    }
    return counts;
  }
}
