import type { ClusterSums } from "../metrics/mean.js";
import { emptyTally, type Tally } from "../metrics/tally.js";
import { sqlString } from "./audit-columns.js";
import type { AuditTable } from "./audit-table.js";

/** What a report can be broken down by. */
export type Dimension = "all" | "decision" | "language" | "rule" | "cohort";

export interface TallyGroup {
  /** One value a key column; for rules (scope, community or null, rule_id). */
  key: (string | null)[];
  tallies: Tally[];
}

/** The rows that analysis is about: one arm, the first replicate. */
export const MAIN_ROWS = "arm = '' AND replicate = 0";

const KEYS: Record<Dimension, string[]> = {
  all: [],
  decision: ["decision"],
  language: ["coalesce(language, 'unknown')"],
  rule: ["citation_scope", "CASE WHEN citation_scope = 'platform' THEN NULL ELSE community END", "citation_rule_id"],
  cohort: ["cohort"],
};

const UNSCORED = -1;
const ERROR = -2;

/** Number of a verdict's cell, as `cellIndex` in metrics/tally.ts computes it. */
function cellExpression(table: AuditTable): string {
  const positive = sqlString(table.actions.positive);
  return `CASE outcome WHEN 'unscored' THEN ${UNSCORED} WHEN 'error' THEN ${ERROR} ELSE
    ((((CASE WHEN decision = ${positive} THEN 0 ELSE 1 END) * 3
      + CASE WHEN human_label IS NULL THEN 2 WHEN human_label = ${positive} THEN 0 ELSE 1 END) * 3
      + (level - 1)) * 2
      + CASE WHEN inverse THEN 0 ELSE 1 END) * 5
      + CASE citation_scope WHEN 'platform' THEN 0 WHEN 'community' THEN 1 WHEN 'precedent' THEN 1 WHEN 'mixed' THEN 2
          WHEN 'none' THEN 3 ELSE 4 END END`;
}

/** Counts of verdicts by cell for every value of a dimension, clustered by community. */
export async function tallyBy(table: AuditTable, dimension: Dimension, where = MAIN_ROWS): Promise<TallyGroup[]> {
  const keys = KEYS[dimension];
  const names = keys.map((_, index) => `key${index}`);
  const from = dimension === "cohort" ? "audits JOIN cohorts USING (decision_id)" : "audits";
  const filter =
    dimension === "rule" ? `${where} AND citation_rule_id IS NOT NULL AND citation_scope IN ('platform', 'community', 'mixed')` : where;
  const selected = [...keys.map((key, index) => `${key} AS ${names[index]}`), "community"].join(", ");
  const rows = await table.db.rows<Record<string, string | null> & { community: string; cell: number; n: number }>(
    `SELECT ${selected}, (${cellExpression(table)})::INTEGER AS cell, count(*)::INTEGER AS n
     FROM ${from} WHERE ${filter} GROUP BY ALL ORDER BY ALL`,
  );
  const groups = new Map<string, TallyGroup & { byCluster: Map<string, Tally> }>();
  for (const row of rows) {
    const key = names.map((name) => row[name] ?? null);
    const id = JSON.stringify(key);
    let group = groups.get(id);
    if (!group) groups.set(id, (group = { key, tallies: [], byCluster: new Map() }));
    let tally = group.byCluster.get(row.community);
    if (!tally) {
      tally = emptyTally(row.community);
      group.byCluster.set(row.community, tally);
      group.tallies.push(tally);
    }
    if (row.cell === UNSCORED) tally.unscored += row.n;
    else if (row.cell === ERROR) tally.errors += row.n;
    else tally.cells[row.cell] = row.n;
  }
  return [...groups.values()].map(({ key, tallies }) => ({ key, tallies }));
}

export type SummedColumn = "p_defensible" | "inverse_yes_prob" | "pds" | "citation_tokens";

/** Sums of a number over the verdicts of each community that have it. */
export async function sumsOf(table: AuditTable, column: SummedColumn): Promise<ClusterSums[]> {
  return table.db.rows<ClusterSums>(
    `SELECT community AS cluster, count(${column})::INTEGER AS n, coalesce(sum(${column}), 0)::DOUBLE AS sum,
       coalesce(sum(${column}::DOUBLE * ${column}), 0)::DOUBLE AS "sumOfSquares"
     FROM audits WHERE ${MAIN_ROWS} AND outcome = 'verdict' GROUP BY ALL ORDER BY ALL`,
  );
}
