import type { GateKey } from "../core/gate.js";
import type { Level } from "../core/records/level.js";
import {
  auditedIndex,
  emptyJudgeCounts,
  humanIndex,
  type JudgeCounts,
  judgeIndex,
} from "../measures/metrics/judge-counts.js";
import { CELLS } from "../measures/metrics/tally.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import { LABEL_SAMPLE } from "./label-sample.js";
import { MAIN_ROWS } from "./main-rows.js";

type Row = CohortRow & { cell: number; human_level: Level | null; human_inverse: boolean | null; n: number };

/** What auditor and people said of each cohort's decisions, as counts, sorted by name; `loadLabelSample` comes first. */
export async function countJudgements(table: AuditTable, by: readonly GateKey[]): Promise<JudgeCounts[]> {
  const rows = await table.db.rows<Row>(
    `SELECT ${selectColumns(cohortColumns(by))}, cell, j.level AS human_level, j.inverse AS human_inverse, count(*)::INTEGER AS n
     FROM audits LEFT JOIN ${LABEL_SAMPLE} j USING (decision_id) WHERE ${MAIN_ROWS} AND cell >= 0 GROUP BY ALL`,
  );
  const cohorts = new Map<string, JudgeCounts>();
  for (const row of rows) {
    const key = rowKey(by, row);
    const counts = cohorts.get(key) ?? emptyJudgeCounts(key);
    cohorts.set(key, counts);
    const { level, inverse } = CELLS[row.cell]!;
    const audited = auditedIndex(level, inverse);
    if (row.human_level === null) counts.rest[audited]! += row.n;
    else counts.labelled[judgeIndex(audited, humanIndex(row.human_level, row.human_inverse))]! += row.n;
  }
  return [...cohorts.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
