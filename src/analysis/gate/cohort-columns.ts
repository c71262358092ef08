import type { GateKey } from "../../core/gate.js";
import { cohortKey } from "../../measures/gate/route/reasons.js";
import type { Duck } from "../../store/files/duckdb.js";

/** The fields of a cohort as SQL reads them. */
export interface CohortRow {
  community?: string;
  decision?: string;
  language?: string | null;
  scope?: string | null;
  rule_id?: string | null;
}

const SQL: Record<keyof CohortRow, string> = {
  community: "community",
  decision: "decision",
  language: "language",
  scope: "citation_scope",
  rule_id: "citation_rule_id",
};

/** Names of the columns that tell the cohorts of a gate apart. A community's rule ids are its own. */
export function cohortColumns(by: readonly GateKey[]): (keyof CohortRow)[] {
  const names = by.flatMap((key): (keyof CohortRow)[] => (key === "rule" ? ["community", "scope", "rule_id"] : [key]));
  return [...new Set(names)];
}

/** SELECT list of columns of view `audits`. */
export function selectColumns(columns: readonly (keyof CohortRow)[]): string {
  return columns.map((name) => `${SQL[name]} AS ${name}`).join(", ");
}

/** Name of the cohort that rows with these fields belong to. */
export function rowKey(by: readonly GateKey[], { scope = null, rule_id = null, ...fields }: CohortRow): string {
  return cohortKey(by, { ...fields, citation: { scope, rule_id } });
}

/** Numbers the combinations of fields in a relation, into table `into` (number, and the fields), and names the cohort of each. */
export async function numberCohorts(
  db: Duck,
  by: readonly GateKey[],
  from: { relation: string; select: string; into: string },
): Promise<string[]> {
  const columns = cohortColumns(by).join(", ");
  await db.run(
    `CREATE OR REPLACE TABLE ${from.into} AS SELECT row_number() OVER (ORDER BY ${columns}) - 1 AS number, ${columns}
     FROM (SELECT DISTINCT ${from.select} FROM ${from.relation})`,
  );
  const rows = await db.rows<CohortRow>(`SELECT ${columns} FROM ${from.into} ORDER BY number`);
  return rows.map((row) => rowKey(by, row));
}

/** SQL that joins rows to their number; fields may be NULL. */
export function sameFields(by: readonly GateKey[], a: string, b: string): string {
  return cohortColumns(by)
    .map((name) => `${a}.${name} IS NOT DISTINCT FROM ${b}.${name}`)
    .join(" AND ");
}
