import { emptyTally, type Tally } from "../measures/metrics/tally.js";
import { readCode } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";

/** Number of audits of one community in one cell, with what a report may break them down by. */
export interface CellCount {
  community: string;
  decision: string;
  language: string;
  /** Index of the verdict's cell; negative where there is none. */
  cell: number;
  n: number;
}

export interface TallyGroup {
  /** What the group's audits have in common; for rules (scope, community or null, rule_id). */
  key: (string | null)[];
  tallies: Tally[];
}

/** Counts of all audits, in one pass: breakdowns by decision and language are sums of these. */
export async function countCells(table: AuditTable): Promise<CellCount[]> {
  const { db, has, actions } = table;
  const language = has("language") ? "coalesce(language, 'unknown') AS language, " : "";
  const rows = await db.rows<Pick<CellCount, "community" | "cell" | "n"> & { language?: string }>(
    `SELECT community, ${language}cell, count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} GROUP BY ALL ORDER BY ALL`,
  );
  return rows.map(({ community, cell, n, language = "unknown" }) => {
    const decision = readCode(cell).positive ? actions.positive : actions.negative;
    return { community, decision, language, cell, n };
  });
}

/** Counts of the members of each cohort; table `cohorts` (cohort, decision_id) must be there. */
export async function tallyByCohort(table: AuditTable): Promise<TallyGroup[]> {
  const rows = await table.db.rows<CellCount & { cohort: string }>(
    `SELECT cohort, community, cell, count(*)::INTEGER AS n
     FROM audits JOIN cohorts USING (decision_id) WHERE ${MAIN_ROWS} GROUP BY ALL ORDER BY ALL`,
  );
  return groupCells(rows, (row) => [row.cohort]);
}

/** Counts of the audits that cite each rule. A community's rules are its own, the platform's are everybody's. */
export async function tallyByRule(table: AuditTable): Promise<TallyGroup[]> {
  const rows = await table.db.rows<CellCount & { scope: string; owner: string | null; rule_id: string }>(
    `SELECT citation_scope AS scope, CASE WHEN citation_scope = 'platform' THEN NULL ELSE community END AS owner,
       citation_rule_id AS rule_id, community, cell, count(*)::INTEGER AS n
     FROM audits WHERE ${MAIN_ROWS} AND citation_rule_id IS NOT NULL AND citation_scope IN ('platform', 'community', 'mixed')
     GROUP BY ALL ORDER BY ALL`,
  );
  return groupCells(rows, (row) => [row.scope, row.owner, row.rule_id]);
}

/** Tallies of every group, one a community. */
export function groupCells<Row extends Pick<CellCount, "community" | "cell" | "n">>(
  rows: readonly Row[],
  keyOf: (row: Row) => (string | null)[],
): TallyGroup[] {
  const groups = new Map<string, { key: (string | null)[]; byCommunity: Map<string, Tally> }>();
  for (const row of rows) {
    const key = keyOf(row);
    const id = key.length === 1 ? key[0]! : JSON.stringify(key);
    let group = groups.get(id);
    if (!group) {
      group = { key, byCommunity: new Map() };
      groups.set(id, group);
    }
    let tally = group.byCommunity.get(row.community);
    if (!tally) {
      tally = emptyTally(row.community);
      group.byCommunity.set(row.community, tally);
    }
    const { outcome } = readCode(row.cell);
    if (outcome === "verdict") tally.cells[row.cell] = tally.cells[row.cell]! + row.n;
    else if (outcome === "no_rules") tally.no_rules = (tally.no_rules ?? 0) + row.n;
    else if (outcome === "error") tally.errors += row.n;
    else tally.unscored += row.n;
  }
  const ordered = [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return ordered.map(([, { key, byCommunity }]) => ({ key, tallies: [...byCommunity.values()] }));
}
