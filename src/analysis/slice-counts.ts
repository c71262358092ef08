import type { GateKey } from "../core/gate.js";
import { sqlName } from "../store/files/audit-columns.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import { MAIN_ROWS } from "./main-rows.js";
import { COUNTED } from "./thread-counts.js";

/** Value of decisions that have none. */
export const NO_VALUE = "unknown";

/** Verdicts of one cohort that have one value of a slice (a language, a tag). */
export interface SliceCount {
  value: string;
  cohort: string;
  n: number;
  indefensible: number;
  inverse_yes: number;
}

export interface SliceOptions {
  by: readonly GateKey[];
  /** `language` is read from the audits, anything else from table `decision_fields`. */
  field: string;
  /** Most values, the commonest first; a tag that hangs on three decisions tells nothing. Default 50. */
  values?: number;
}

/** Counts by slice and cohort. A decision with several values (tags) counts under each of them. */
export async function countSlices(table: AuditTable, options: SliceOptions): Promise<SliceCount[]> {
  const columns = cohortColumns(options.by);
  const [value, join] =
    options.field === "language"
      ? [`unnest([coalesce(language, '${NO_VALUE}')])`, ""]
      : [
          listed(`fields.${sqlName(options.field)}`), // A decision that was imported twice counts once.
          "LEFT JOIN (SELECT DISTINCT ON (decision_id) * FROM decision_fields) fields USING (decision_id)",
        ];
  const rows = await table.db.rows<CohortRow & Omit<SliceCount, "cohort">>(
    `WITH sliced AS (SELECT ${value} AS value, ${selectColumns(columns)}, cell FROM audits ${join} WHERE ${MAIN_ROWS} AND cell >= 0),
       common AS (SELECT value FROM sliced GROUP BY value ORDER BY count(*) DESC, value LIMIT ${options.values ?? 50})
     SELECT value, ${columns.join(", ")}, count(*)::INTEGER AS n, count(*) FILTER (${COUNTED.indefensible})::INTEGER AS indefensible,
       count(*) FILTER (${COUNTED.inverse_yes})::INTEGER AS inverse_yes
     FROM sliced WHERE value IN (FROM common) GROUP BY ALL ORDER BY ALL`,
  );
  return rows.map((row) => ({
    value: row.value,
    cohort: rowKey(options.by, row),
    n: row.n,
    indefensible: row.indefensible,
    inverse_yes: row.inverse_yes,
  }));
}

/** The values of a field that may hold a JSON list. */
function listed(column: string): string {
  const list = `CASE WHEN starts_with(${column}, '[') THEN json_extract_string(TRY_CAST(${column} AS JSON), '$[*]') END`;
  return `unnest(CASE WHEN ${column} IS NULL OR ${column} = '[]' THEN ['${NO_VALUE}'] ELSE list_distinct(coalesce(${list}, [${column}])) END)`;
}
