import type { GateKey } from "../../core/gate.js";
import type { OpenLabels } from "../../core/results/report.js";
import { type Duck, duckdb } from "../../store/files/duckdb.js";
import type { CohortStore } from "../../store/ports.js";
import { MAIN_ROWS } from "../audit-cells.js";
import { CELL } from "../audit-select.js";
import type { AuditTable } from "../audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import { COUNTED } from "./counts.js";

/** A rule as the decisions of one cohort cite it. */
export interface CohortRule {
  cohort: string;
  scope: string;
  /** The community whose rule it is; null: the platform's. */
  owner: string | null;
  rule_id: string;
  /** Verdicts that cite it. */
  n: number;
  indefensible: number;
  inverse_yes: number;
  inverse_yes_pure: number;
  /** Human labels among those that are open both ways. */
  open_labels: OpenLabels;
}

type RuleRow = CohortRow & Omit<CohortRule, "cohort" | "open_labels"> & OpenLabels;

/**
 * The rules under which each cohort's decisions have a defensible opposite, the one with most of them first: the `top` of each cohort by
 * all of these verdicts, and the `top` by those that are defensible themselves, since a gate may limit either.
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
  const byCohort = new Map<string, RuleRow[]>();
  for (const row of rows) byCohort.set(rowKey(by, row), [...(byCohort.get(rowKey(by, row)) ?? []), row]);
  return [...byCohort].flatMap(([cohort, own]) => {
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

/** Loads the members of every cohort into table `cohorts` (cohort, decision_id), and names them. Without cohorts there is no table. */
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
