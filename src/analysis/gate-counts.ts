import type { GateKey } from "../core/gate.js";
import type { GateCohort } from "../measures/gate/gate-input.js";
import { CELLS } from "../measures/metrics/tally.js";
import { sqlString } from "../store/files/audit-columns.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import { MAIN_ROWS } from "./main-rows.js";
import { addThreads, type ThreadsAt } from "./thread-counts.js";

export interface CountOptions {
  by: readonly GateKey[];
  /** SQL condition on view `audits`; default: all rows of the analysis. */
  where?: string;
  /** Some rows have a `thread_id`: count threads as they are then. */
  threads?: ThreadsAt | null;
}

/** Counts of every cohort, sorted by name. */
export async function countGateCohorts(table: AuditTable, options: CountOptions): Promise<GateCohort[]> {
  const { by, where = "true" } = options;
  const rows = await table.db.rows<CohortRow & { cell: number; n: number }>(
    `SELECT ${selectColumns(cohortColumns(by))}, cell, count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} AND ${where} GROUP BY ALL`,
  );
  const cohorts = new Map<string, GateCohort>();
  for (const row of rows) {
    const key = rowKey(by, row);
    const cohort = cohorts.get(key) ?? emptyCohort(key);
    cohorts.set(key, cohort);
    addCell(cohort, row.cell, row.n);
  }
  if (options.threads) await addThreads(table, cohorts, options, options.threads);
  return [...cohorts.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function emptyCohort(key: string): GateCohort {
  return { key, n: 0, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 };
}

/** Adds the audits of one cell to the counts of a cohort. */
function addCell(cohort: GateCohort, index: number, n: number): void {
  if (index < 0) {
    cohort.unscored += n;
    return;
  }
  const { level, inverse } = CELLS[index]!;
  cohort.n += n;
  if (level === 3) cohort.indefensible += n;
  if (inverse) cohort.inverse_yes += n;
  if (inverse && level !== 3) cohort.inverse_yes_pure += n;
}

/** SQL for the rows that are held out: by thread where there are any, so that no thread stands on both sides. */
export function heldOut(options: { seed: number; share: number; threads: boolean }): string {
  const id = options.threads ? "coalesce(community || chr(31) || thread_id, decision_id)" : "decision_id";
  // md5 and not hash(), which may be another function in the next version of the engine.
  const fraction = `(md5_number_lower(${sqlString(`${options.seed}:`)} || ${id}) // 2048)::DOUBLE / 9007199254740992`;
  return `${fraction} < ${options.share}`;
}
