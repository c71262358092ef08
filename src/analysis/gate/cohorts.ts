import type { GateHarm, GateKey } from "../../core/gate.js";
import type { OpenLabels } from "../../core/results/report.js";
import { groupBy } from "../../core/text-checks.js";
import type { HarmCount } from "../../measures/gate/harm.js";
import { cohortKey } from "../../measures/gate/route/reasons.js";
import { type Duck, duckdb, sqlString } from "../../store/files/duckdb.js";
import type { CohortStore } from "../../store/ports.js";
import { type HeldOut, MAIN_ROWS, partOf, rowsOfArm } from "../audit-cells.js";
import { CELL } from "../audit-select.js";
import type { AuditTable } from "../audit-table.js";

/** The fields of a cohort as read from SQL. */
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

/** SQL for the verdicts that a gate counts, on a row's cell. */
export const COUNTED = {
  indefensible: `${CELL.level("cell")} = 3`,
  inverse_yes: CELL.inverse("cell"),
  inverse_yes_pure: `${CELL.inverse("cell")} AND ${CELL.level("cell")} < 3`,
} as const;

/** Columns that identify the cohorts of a gate. Rule ids are unique only within a community, so a rule includes its community. */
export function cohortColumns(by: readonly GateKey[]): (keyof CohortRow)[] {
  const names = by.flatMap((key): (keyof CohortRow)[] => (key === "rule" ? ["community", "scope", "rule_id"] : [key]));
  return [...new Set(names)];
}

export function selectColumns(columns: readonly (keyof CohortRow)[]): string {
  return columns.map((name) => `${SQL[name]} AS ${name}`).join(", ");
}

/** The cohort that rows with these fields belong to. */
export function rowKey(by: readonly GateKey[], { scope = null, rule_id = null, ...fields }: CohortRow): string {
  return cohortKey(by, { ...fields, citation: { scope, rule_id } });
}

/** Numbers the combinations of fields in a relation, in table `into` (number and fields), and returns the cohort of each. */
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

/**
 * SQL for the harm of a verdict, in the units of the weights: weight of the action · weight of the cited rule for level 3, else 0. A citation of both
 * scopes that matches a rule of each has the greater weight.
 */
export function harmOf({ actions, rules }: Pick<GateHarm, "actions" | "rules">): string {
  const byAction = Object.entries(actions).map(([name, harm]) => `WHEN ${sqlString(name)} THEN ${harm}`);
  const action = byAction.length > 0 ? `CASE decision ${byAction.join(" ")} ELSE 1 END` : "1";
  const byRule = [...rules]
    .sort((a, b) => b.harm - a.harm)
    .map(({ scope, community, rule_id, harm }) => {
      const owned = community === null ? "" : ` AND community = ${sqlString(community)}`;
      return `WHEN citation_scope IN (${sqlString(scope)}, 'mixed')${owned} AND citation_rule_id = ${sqlString(rule_id)} THEN ${harm}`;
    });
  const rule = byRule.length > 0 ? `CASE ${byRule.join(" ")} ELSE 1 END` : "1";
  return `CASE WHEN level = 3 THEN (${action})::DOUBLE * (${rule})::DOUBLE ELSE 0 END`;
}

/** Harmful verdicts of every cohort by their harm, as a share of the greatest, least first. */
export async function countHarm(
  table: AuditTable,
  harm: GateHarm,
  { by, heldOut, arm }: { by: readonly GateKey[]; heldOut?: HeldOut; arm?: string },
): Promise<ReadonlyMap<string, HarmCount[]>> {
  const rows = await table.db.rows<CohortRow & { harm: number; n: number }>(
    `SELECT ${selectColumns(cohortColumns(by))}, ${harmOf(harm)} AS harm, count(*)::INTEGER AS n
     FROM audits WHERE ${rowsOfArm(arm)} AND cell >= 0 AND ${partOf(heldOut)} GROUP BY ALL HAVING harm > 0 ORDER BY harm`,
  );
  const found = new Map<string, HarmCount[]>();
  for (const row of rows) {
    const key = rowKey(by, row);
    const value = row.harm / harm.max;
    const known = found.get(key) ?? [];
    const same = known.find((one) => one.value === value);
    if (same) same.count += row.n;
    else known.push({ value, count: row.n });
    found.set(key, known);
  }
  return found;
}

/** A rule as cited by the decisions of one cohort. */
export interface CohortRule {
  cohort: string;
  scope: string;
  /** The community that the rule belongs to; null: the platform. */
  owner: string | null;
  rule_id: string;
  /** Verdicts that cite the rule. */
  n: number;
  indefensible: number;
  inverse_yes: number;
  inverse_yes_pure: number;
  /** Human labels on the verdicts that are open both ways. */
  open_labels: OpenLabels;
}

type RuleRow = CohortRow & Omit<CohortRule, "cohort" | "open_labels"> & OpenLabels;

/**
 * The rules under which each cohort's decisions have a defensible opposite, most such verdicts first: the `top` of each cohort by all of these
 * verdicts, and the `top` by those that are themselves defensible, since a gate may limit either.
 */
export async function countCohortRules(table: AuditTable, by: readonly GateKey[], top = 3): Promise<CohortRule[]> {
  const columns = [...new Set([...cohortColumns(by), "scope", "rule_id"] as const)];
  const counts = Object.entries(COUNTED).map(([name, sql]) => `count(*) FILTER (${sql})::INTEGER AS ${name}`);
  const labels = ["positive", "negative"].map(
    (name, code) =>
      `count(*) FILTER (${COUNTED.inverse_yes_pure} AND ${CELL.human("cell")} = ${code})::INTEGER AS ${name}`,
  );
  const rows = await table.db.rows<RuleRow>(
    `SELECT ${selectColumns(columns)}, CASE WHEN citation_scope <> 'platform' THEN community END AS owner, count(*)::INTEGER AS n, ${counts}, ${labels}
     FROM audits WHERE ${MAIN_ROWS} AND cell >= 0 AND citation_rule_id IS NOT NULL AND citation_scope IN ('platform', 'community', 'mixed')
     GROUP BY ALL HAVING inverse_yes > 0 ORDER BY inverse_yes DESC, n, rule_id`,
  );
  return [...groupBy(rows, (row) => rowKey(by, row))].flatMap(([cohort, own]) => {
    const pure = own.filter((row) => row.inverse_yes_pure > 0).sort((a, b) => b.inverse_yes_pure - a.inverse_yes_pure);
    const kept = new Set([...own.slice(0, top), ...pure.slice(0, top)]);
    return own
      .filter((row) => kept.has(row))
      .map(({ scope, owner, rule_id, n, indefensible, inverse_yes, inverse_yes_pure, positive, negative }) => ({
        cohort,
        scope,
        owner,
        rule_id,
        n,
        indefensible,
        inverse_yes,
        inverse_yes_pure,
        open_labels: { positive, negative },
      }));
  });
}

/** Loads the members of every cohort into table `cohorts` (cohort, decision_id) and returns their names. Without cohorts no table is made. */
export async function loadCohorts(db: Duck, store: CohortStore): Promise<string[]> {
  const cohorts = await store.list();
  if (cohorts.length === 0) return [];
  const { DuckDBDataChunk, VARCHAR } = duckdb();
  await db.run("CREATE TABLE cohorts (cohort VARCHAR, decision_id VARCHAR)");
  const appender = await db.connection.createAppender("cohorts");
  for (const cohort of cohorts) {
    for (let start = 0; start < cohort.decision_ids.length; start += 2048) {
      const ids = cohort.decision_ids.slice(start, start + 2048);
      const chunk = DuckDBDataChunk.create([VARCHAR, VARCHAR], ids.length);
      chunk.setColumnValues(0, Array(ids.length).fill(cohort.name));
      chunk.setColumnValues(1, ids);
      appender.appendDataChunk(chunk);
    }
  }
  appender.closeSync();
  return cohorts.map((cohort) => cohort.name);
}
