import type { Actions } from "../core/records/actions.js";
import { emptyPairs, type PairedCommunity, pairIndex } from "../measures/metrics/paired/paired-change.js";
import type { Duck } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { MAIN_ROWS } from "./audit-cells.js";
import { CELL, type MoreColumn, positiveCell } from "./audit-select.js";
import { openAuditTable } from "./audit-table.js";

/** Settings in which two runs may differ and which an audits file may contain. */
export const SETTING_COLUMNS = [
  "auditor",
  "auditor_version",
  "prompt_version",
  "template",
  "tier",
  "temperature",
  "signal",
] as const satisfies readonly MoreColumn[];

export type RunSettings = Record<(typeof SETTING_COLUMNS)[number], string | number | null>;

export interface PairSide {
  source: AuditSource;
  actions?: Actions | undefined;
}

export interface PairedAudits {
  /** The settings found in the rows of each side; null if a column is absent. */
  settings: [RunSettings, RunSettings];
  /** Decisions with an audit in each, and in only one. */
  attempted: [number, number];
  shared: number;
  only: [number, number];
  /** Shared decisions without a verdict in A, in B, or both. */
  without_verdict: number;
  /** Shared decisions for which the two sides have different actions, or different communities. */
  different_action: number;
  different_community: number;
  /** Decisions with a verdict in both, by A's community. */
  pairs: PairedCommunity[];
}

export interface PairOptions {
  /** Exclude decisions for which the two sides name different actions. */
  sameActionOnly?: boolean;
}

/** Joins two sets of audits by decision and counts: a million rows become a few thousand numbers. */
export async function readPairedAudits(
  db: Duck,
  a: PairSide,
  b: PairSide,
  options: PairOptions = {},
): Promise<PairedAudits> {
  // Two sides may name the same two actions differently; with more than two, actions are identified by name.
  const action = a.actions?.all && b.actions?.all ? "decision" : positiveCell("cell");
  const settings: [RunSettings, RunSettings] = [
    await loadSide(db, a, "side_a", action),
    await loadSide(db, b, "side_b", action),
  ];
  const rows = await db.rows<PairRow>(
    `SELECT coalesce(a.community, b.community) AS community, ${kind("a")} AS in_a, ${kind("b")} AS in_b,
       coalesce(a.action <> b.action, false) AS other_action, coalesce(a.community <> b.community, false) AS other_community,
       count(*)::INTEGER AS n
     FROM side_a a FULL JOIN side_b b USING (decision_id) GROUP BY ALL ORDER BY ALL`,
  );
  return { settings, ...countPairs(rows, options) };
}

interface PairRow {
  community: string;
  /** Kind of verdict 0 to 5, −1 without a verdict, −2 without an audit. */
  in_a: number;
  in_b: number;
  other_action: boolean;
  other_community: boolean;
  n: number;
}

function kind(side: string): string {
  return `(CASE WHEN ${side}.cell IS NULL THEN -2 WHEN ${side}.cell < 0 THEN -1 ELSE ${CELL.kind(`${side}.cell`)} END)::INTEGER`;
}

async function loadSide(db: Duck, { source, actions }: PairSide, name: string, action: string): Promise<RunSettings> {
  // Our own runs have their settings in the manifest; only files must be queried.
  await openAuditTable(db, source, { actions, also: source.own ? [] : SETTING_COLUMNS });
  await db.run(
    `CREATE TABLE ${name} AS SELECT decision_id, community, cell, ${action} AS action FROM audits WHERE ${MAIN_ROWS}`,
  );
  const settings = source.own ? unsaid() : await readSettings(db);
  await db.run("DROP VIEW audits");
  await db.run("DROP VIEW read_audits");
  await db.run("DROP TABLE stored_audits");
  await db.run("DROP TABLE IF EXISTS json_lines");
  return settings;
}

function unsaid(): RunSettings {
  return Object.fromEntries(SETTING_COLUMNS.map((name) => [name, null])) as RunSettings;
}

/** The single value of each column, or the number of distinct values. */
async function readSettings(db: Duck): Promise<RunSettings> {
  const columns = SETTING_COLUMNS.flatMap((name) => [
    `count(DISTINCT ${name})::INTEGER AS "${name}_n"`,
    `min(${name}) AS "${name}"`,
  ]);
  const [row] = await db.rows<Record<string, string | number | null>>(
    `SELECT ${columns.join(", ")} FROM audits WHERE ${MAIN_ROWS}`,
  );
  const settings = unsaid();
  for (const name of SETTING_COLUMNS) {
    const values = Number(row?.[`${name}_n`] ?? 0);
    settings[name] = values > 1 ? `${values} different` : values === 1 ? (row![name] ?? null) : null;
  }
  return settings;
}

function countPairs(rows: readonly PairRow[], options: PairOptions): Omit<PairedAudits, "settings"> {
  const result: Omit<PairedAudits, "settings"> = {
    attempted: [0, 0],
    shared: 0,
    only: [0, 0],
    without_verdict: 0,
    different_action: 0,
    different_community: 0,
    pairs: [],
  };
  const byCommunity = new Map<string, PairedCommunity>();
  for (const { community, in_a: a, in_b: b, other_action, other_community, n } of rows) {
    if (a > -2) result.attempted[0] += n;
    if (b > -2) result.attempted[1] += n;
    if (a === -2 || b === -2) {
      result.only[b === -2 ? 0 : 1] += n;
      continue;
    }
    result.shared += n;
    if (other_action) result.different_action += n;
    if (other_community) result.different_community += n;
    if (a < 0 || b < 0) {
      result.without_verdict += n;
      continue;
    }
    if (other_action && options.sameActionOnly) continue;
    let pairs = byCommunity.get(community);
    if (!pairs) {
      pairs = emptyPairs(community);
      byCommunity.set(community, pairs);
    }
    pairs.cells[pairIndex(a, b)]! += n;
  }
  result.pairs = [...byCommunity.values()];
  return result;
}
