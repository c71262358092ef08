import type { GateKey } from "../domain/gate.js";
import type { GateVariable } from "../gate/gate-input.js";
import { sqlString } from "./audit-columns.js";
import type { MoreColumn } from "./audit-select.js";
import { type AuditTable, openAuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, numberCohorts, rowKey, sameFields, selectColumns } from "./cohort-columns.js";
import type { Duck } from "./duckdb.js";
import { instant, UTC } from "./instant.js";
import type { AuditSource } from "./ledger.js";
import { MAIN_ROWS } from "./main-rows.js";
import { COUNTED } from "./thread-counts.js";

/** What a table must have been opened with before its rows are collected for watching. */
export const WATCH_COLUMNS = [
  "decided_at",
  "created_at",
  "auditor",
  "auditor_version",
  "prompt_version",
  "ruleset_version",
] as const satisfies readonly MoreColumn[];

/** When the earliest verdict of each cohort was decided, as ISO time; cohorts with a verdict of unknown time are left out. */
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

/** One verdict, as the watch of a fleet takes it (`WatchRow` in gate/drift). */
export interface StreamRow {
  key: string;
  /** Milliseconds since 1970: when it was decided, or audited where nothing says when. */
  time: number | null;
  /** `time` is that of the decision. */
  decided: boolean;
  x_indefensible: number;
  x_ambiguous: number;
  version: string;
}

/**
 * The verdicts of several runs in the order of time, for watching. Runs of one epoch (the same auditor and prompt) are merged by the time of the
 * decision, or of the audit where nothing is said of it; those whose time cannot be read come first. A decision that stands in several of them is seen once, as it was first audited.
 * Epochs follow each other: sorted by time alone, versions would alternate and nothing would ever be learned about either.
 */
export class GateStream {
  private constructor(
    private readonly db: Duck,
    private readonly by: readonly GateKey[],
  ) {}

  static async create(db: Duck, by: readonly GateKey[]): Promise<GateStream> {
    await db.run(
      `${UTC}; CREATE OR REPLACE TABLE watched (epoch INTEGER, run INTEGER, place BIGINT, decision_id VARCHAR, moment BIGINT, decided BOOLEAN, version VARCHAR,
        indefensible BOOLEAN, yes BOOLEAN, pure BOOLEAN, community VARCHAR, decision VARCHAR, language VARCHAR, scope VARCHAR, rule_id VARCHAR)`,
    );
    return new GateStream(db, by);
  }

  /** Adds the verdicts of a table of this database that has been opened with `WATCH_COLUMNS`. */
  async add(table: AuditTable, epoch: number, run: number): Promise<void> {
    const version = ["auditor", "auditor_version", "prompt_version", "ruleset_version"]
      .map((column) => `coalesce(${column}, '?')`)
      .join(" || ' · ' || ");
    const fields: (keyof CohortRow)[] = ["community", "decision", "language", "scope", "rule_id"];
    await table.db.run(
      `INSERT INTO watched SELECT ${epoch}, ${run}, row_id, decision_id, 
         CASE WHEN decided_at IS NULL THEN ${instant("created_at")} ELSE decided END, decided IS NOT NULL, ${version}, ${COUNTED.indefensible}, ${COUNTED.inverse_yes}, ${COUNTED.inverse_yes_pure}, ${selectColumns(fields)}
       FROM (SELECT *, ${instant("decided_at")} AS decided FROM audits) AS audits WHERE ${MAIN_ROWS} AND cell >= 0
         AND NOT EXISTS (SELECT 1 FROM watched w WHERE w.epoch = ${epoch} AND w.decision_id = audits.decision_id)`,
    );
  }

  /** Opens a run, adds its verdicts and lets go of it. */
  async addRun(
    source: AuditSource,
    options: { actions: AuditTable["actions"]; epoch: number; run: number },
  ): Promise<void> {
    const table = await openAuditTable(this.db, source, { actions: options.actions, also: WATCH_COLUMNS });
    await this.add(table, options.epoch, options.run);
    await this.db.run(
      "DROP VIEW audits; DROP VIEW read_audits; DROP TABLE stored_audits; DROP TABLE IF EXISTS json_lines",
    );
  }

  /** Leaves out decisions of an epoch that a run already showed in an earlier watch. */
  async leaveOut(source: AuditSource, epoch: number): Promise<void> {
    if (source.format !== "parquet") return;
    await this.db.run(
      `DELETE FROM watched WHERE epoch = ${epoch} AND decision_id IN
        (SELECT decision_id FROM read_parquet(${sqlString(source.path)}, hive_partitioning = false) WHERE ${MAIN_ROWS} AND outcome = 'verdict')`,
    );
  }

  /** Calls `take` for each verdict of the wanted cohorts, in order. The row is reused: what is kept must be copied. */
  async read(
    wanted: ReadonlySet<string>,
    variable: GateVariable,
    take: (row: Readonly<StreamRow>) => void,
  ): Promise<number> {
    const select = cohortColumns(this.by).join(", ");
    const names = await numberCohorts(this.db, this.by, { relation: "watched", select, into: "watched_cohorts" });
    const result = await this.db.connection.stream(
      `SELECT number::INTEGER, (indefensible::INTEGER + 2 * ${variable === "ai" ? "yes" : "pure"}::INTEGER)::INTEGER, moment::DOUBLE, decided, version
       FROM watched w JOIN watched_cohorts c ON ${sameFields(this.by, "w", "c")} ORDER BY epoch, moment NULLS FIRST, run, place`,
    );
    const row: StreamRow = { key: "", time: null, decided: false, x_indefensible: 0, x_ambiguous: 0, version: "" };
    let taken = 0;
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      const [cohorts, kinds, times, known, versions] = [0, 1, 2, 3, 4].map((column) => chunk!.getColumnValues(column));
      for (let i = 0; i < chunk.rowCount; i++) {
        row.key = names[cohorts![i] as number]!;
        if (!wanted.has(row.key)) continue;
        const kind = kinds![i] as number;
        row.x_indefensible = kind & 1;
        row.x_ambiguous = kind >> 1;
        row.time = times![i] as number | null;
        row.decided = known![i] as boolean;
        row.version = versions![i] as string;
        take(row);
        taken++;
      }
    }
    return taken;
  }
}
