import type { GateKey } from "../domain/gate.js";
import type { Level } from "../domain/level.js";
import { auditedIndex, emptyJudgeCounts, humanIndex, type JudgeCounts, judgeIndex } from "../metrics/judge-counts.js";
import { CELLS } from "../metrics/tally.js";
import { sqlName } from "./audit-columns.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import type { AuditSource } from "./ledger.js";
import { MAIN_ROWS } from "./main-rows.js";
import { openFile } from "./targets.js";

/** Table that `loadHumanJudgements` makes: decision_id, level, inverse (NULL: not answered). */
const JUDGEMENTS = "human_judgements";

/**
 * People's labels of defensibility. Several raters: the level most of them gave, on a tie the more severe; of those who answered, the
 * inverse most of them gave, on a tie Yes. A rater counts once, by the last word. A file that does not say its source is of people.
 */
export async function loadHumanJudgements(
  table: AuditTable,
  file: { path: string; format: AuditSource["format"] },
): Promise<number> {
  const fields = ["decision_id", "level", "inverse", "source", "rater"];
  const { relation, names } = await openFile(table, file, fields, "judgement_rows");
  const text = (name: string) => (names.has(name) ? `nullif(${sqlName(name)}::VARCHAR, '')` : "NULL::VARCHAR");
  await table.db.run(
    `CREATE OR REPLACE TABLE ${JUDGEMENTS} AS
     WITH said AS (SELECT decision_id::VARCHAR AS decision_id, TRY_CAST(level AS INTEGER) AS level,
         CASE lower(${text("inverse")}) WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
           WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END AS inverse
       FROM ${relation} WHERE coalesce(lower(trim(${text("source")})), 'human') = 'human'
       QUALIFY row_number() OVER (PARTITION BY decision_id, coalesce(${text("rater")}, line::VARCHAR) ORDER BY line DESC) = 1),
     levels AS (SELECT decision_id, level FROM said WHERE level BETWEEN 1 AND 3 GROUP BY decision_id, level
       QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY count(*) DESC, level DESC) = 1),
     inverses AS (SELECT decision_id, 2 * count(*) FILTER (inverse) >= count(*) AS inverse FROM said
       WHERE inverse IS NOT NULL AND level BETWEEN 1 AND 3 GROUP BY ALL)
     SELECT decision_id, level, inverse FROM levels LEFT JOIN inverses USING (decision_id)`,
  );
  const [row] = await table.db.rows<{ n: number }>(
    `SELECT count(*)::INTEGER AS n FROM audits JOIN ${JUDGEMENTS} USING (decision_id) WHERE ${MAIN_ROWS} AND cell >= 0`,
  );
  return row?.n ?? 0;
}

type Row = CohortRow & { cell: number; human_level: Level | null; human_inverse: boolean | null; n: number };

/** What auditor and people said of each cohort's decisions, as counts, sorted by name. */
export async function countJudgements(table: AuditTable, by: readonly GateKey[]): Promise<JudgeCounts[]> {
  const rows = await table.db.rows<Row>(
    `SELECT ${selectColumns(cohortColumns(by))}, cell, j.level AS human_level, j.inverse AS human_inverse, count(*)::INTEGER AS n
     FROM audits LEFT JOIN ${JUDGEMENTS} j USING (decision_id) WHERE ${MAIN_ROWS} AND cell >= 0 GROUP BY ALL`,
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
