import { emptyPairs, mergePairs, type PairedCommunity, pairIndex } from "../measures/metrics/paired/paired-change.js";
import { type Duck, sqlString } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { MAIN_ROWS } from "./audit-cells.js";
import { CELL, positiveCell } from "./audit-select.js";
import { type AuditTable, openAuditTable } from "./audit-table.js";

/** Decisions and their opposites by community, for one action and one kind of human label. */
export interface DualStratum extends PairedCommunity {
  /** The decision is the restricting action. */
  positive: boolean;
  /** Whether the human label names the same action; null: no label. */
  agreed: boolean | null;
}

export interface DualAudits {
  decisions: number;
  paired: number;
  without_verdict: number;
  single: number;
  same_action: number;
  strata: DualStratum[];
}

/** Table with the first audit of each decision and the first one of its opposite. */
const PAIRS = "dual_pairs";

/** Decisions whose opposite was audited in the same run, by community; null if absent. */
export async function flipPairs(table: AuditTable, oppositeArm: string): Promise<PairedCommunity[] | null> {
  if (!table.has("arm")) return null;
  const [asked] = await table.db.rows<{ n: number }>(
    `SELECT count(*)::INTEGER AS n FROM audits WHERE arm = ${sqlString(oppositeArm)} AND replicate = 0`,
  );
  return asked?.n ? mergePairs((await readDualAudits(table, oppositeArm, "JOIN")).strata) : null;
}

/**
 * Joins the audits of decisions (arm "") with those of their opposites, and counts. The first replicate of each. With `JOIN`, decisions that have
 * only one of the two are ignored.
 */
export async function readDualAudits(
  { db }: AuditTable,
  oppositeArm: string,
  join: "FULL JOIN" | "JOIN" = "FULL JOIN",
): Promise<DualAudits> {
  const positive = (side: string) => positiveCell(`${side}.cell`);
  const side = (arm: string) => `(SELECT * FROM audits WHERE arm = ${sqlString(arm)} AND replicate = 0)`;
  await db.run(
    `CREATE OR REPLACE TABLE ${PAIRS} AS SELECT decision_id, coalesce(a.community, b.community) AS community,
       a.cell AS own, b.cell AS opposite, ${positive("a")} AS positive, ${positive("a")} = ${positive("b")} AS same_action,
       CASE ${CELL.human("a.cell")} WHEN 2 THEN NULL WHEN 0 THEN ${positive("a")} ELSE NOT ${positive("a")} END AS agreed,
       a.inverse_yes_prob AS own_yes, b.inverse_yes_prob AS opposite_yes, a.citation_rule_id AS own_rule, b.citation_rule_id AS opposite_rule
     FROM ${side("")} a ${join} ${side(oppositeArm)} b USING (decision_id)`,
  );
  const rows = await db.rows<Row>(
    `SELECT community, positive, agreed, coalesce(same_action, false) AS same_action, own IS NULL OR opposite IS NULL AS single,
       CASE WHEN own >= 0 AND opposite >= 0 THEN ${CELL.kind("own")}::INTEGER END AS own, ${CELL.kind("opposite")}::INTEGER AS opposite, count(*)::INTEGER AS n
     FROM ${PAIRS} GROUP BY ALL ORDER BY ALL`,
  );
  return countRows(rows);
}

interface Row {
  community: string;
  positive: boolean;
  agreed: boolean | null;
  same_action: boolean;
  single: boolean;
  /** Kind of verdict; null: one of the two has no verdict. */
  own: number | null;
  opposite: number;
  n: number;
}

function countRows(rows: readonly Row[]): DualAudits {
  const result: DualAudits = { decisions: 0, paired: 0, without_verdict: 0, single: 0, same_action: 0, strata: [] };
  const strata = new Map<string, DualStratum>();
  for (const { community, positive, agreed, same_action, single, own, opposite, n } of rows) {
    result.decisions += n;
    if (single) result.single += n;
    else if (same_action) result.same_action += n;
    else if (own === null) result.without_verdict += n;
    else {
      result.paired += n;
      const key = JSON.stringify([community, positive, agreed]);
      let stratum = strata.get(key);
      if (!stratum) {
        stratum = { ...emptyPairs(community), positive, agreed };
        strata.set(key, stratum);
      }
      stratum.cells[pairIndex(own, opposite)]! += n;
    }
  }
  result.strata = [...strata.values()];
  return result;
}

export interface DualLabels {
  rows: { community: string; kind: number; ambiguous: boolean | null; n: number }[];
  /** Pairs whose decision is not in the run, and pairs whose decision has the other action there. */
  outside: number;
  otherAction: number;
}

/**
 * Joins another run with these pairs: its verdicts by community and kind, and those of decisions with a dual audit by whether the dual audit calls
 * them ambiguous. Audits of another action than the dual audit's count as having none.
 */
export async function readDualLabels({ db, actions }: AuditTable, run: AuditSource): Promise<DualLabels> {
  await dropAuditTable(db);
  await openAuditTable(db, run, { actions });
  const [missing] = await db.rows<{ outside: number; otherAction: number }>(
    `SELECT count(*) FILTER (r.decision_id IS NULL)::INTEGER AS outside,
       count(*) FILTER (d.positive <> ${positiveCell("r.cell")})::INTEGER AS "otherAction"
     FROM ${PAIRS} d LEFT JOIN (SELECT decision_id, cell FROM audits WHERE ${MAIN_ROWS}) r USING (decision_id)
     WHERE d.own >= 0 AND d.opposite >= 0 AND NOT d.same_action AND (r.cell IS NULL OR r.cell >= 0)`,
  );
  const rows = await db.rows<DualLabels["rows"][number]>(
    `SELECT r.community, ${CELL.kind("r.cell")}::INTEGER AS kind, ${CELL.level("d.own")} < 3 AND ${CELL.level("d.opposite")} < 3 AS ambiguous, count(*)::INTEGER AS n
     FROM audits r LEFT JOIN ${PAIRS} d ON d.decision_id = r.decision_id AND d.own >= 0 AND d.opposite >= 0 AND NOT d.same_action
       AND d.positive = ${positiveCell("r.cell")}
     WHERE ${MAIN_ROWS} AND r.cell >= 0 GROUP BY ALL ORDER BY ALL`,
  );
  return { rows, outside: missing?.outside ?? 0, otherAction: missing?.otherAction ?? 0 };
}

/** Probability of Yes in the inverse check, whether the opposite is defensible, and the community, for decisions that have all three. */
export async function readInverseScores({ db }: AuditTable): Promise<{
  scores: Float64Array;
  defensible: Uint8Array;
  cluster: Int32Array;
  clusters: number;
}> {
  const rows = await db.rows<{ yes: number; defensible: boolean; cluster: number }>(
    `SELECT own_yes AS yes, ${CELL.level("opposite")} < 3 AS defensible, (dense_rank() OVER (ORDER BY community) - 1)::INTEGER AS cluster
     FROM ${PAIRS} WHERE own >= 0 AND opposite >= 0 AND NOT same_action AND own_yes IS NOT NULL ORDER BY decision_id`,
  );
  return {
    scores: Float64Array.from(rows, (row) => row.yes),
    defensible: Uint8Array.from(rows, (row) => (row.defensible ? 1 : 0)),
    cluster: Int32Array.from(rows, (row) => row.cluster),
    clusters: rows.reduce((most, row) => Math.max(most, row.cluster + 1), 0),
  };
}

export interface ContradictionRow {
  decision_id: string;
  community: string;
  positive: boolean;
  own: number;
  opposite: number;
  own_yes: number | null;
  opposite_yes: number | null;
  own_rule: string | null;
  opposite_rule: string | null;
}

/** Decisions on which the inverse check and the audit of the opposite contradict each other, the most certain of each kind first. */
export async function readContradictions(
  { db }: AuditTable,
  kind: "missed" | "false_alarm",
  most: number,
): Promise<ContradictionRow[]> {
  const missed = kind === "missed";
  return db.rows<ContradictionRow>(
    `SELECT decision_id, community, positive, ${CELL.kind("own")}::INTEGER AS own, ${CELL.kind("opposite")}::INTEGER AS opposite, own_yes, opposite_yes,
       own_rule, opposite_rule
     FROM ${PAIRS} WHERE own >= 0 AND opposite >= 0 AND NOT same_action AND ${CELL.inverse("own")} <> ${missed} AND (${CELL.level("opposite")} < 3) = ${missed}
     ORDER BY own_yes ${missed ? "ASC" : "DESC"} NULLS LAST, decision_id LIMIT ${Math.floor(most)}`,
  );
}

/** Drops the audits table so that another can be opened; data already read stay. */
async function dropAuditTable(db: Duck): Promise<void> {
  await db.run("DROP VIEW audits");
  await db.run("DROP VIEW read_audits");
  await db.run("DROP TABLE stored_audits");
  await db.run("DROP TABLE IF EXISTS json_lines");
}
