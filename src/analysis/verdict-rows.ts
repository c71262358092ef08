import type { Tier } from "../core/records/rule-set.js";
import { sqlString } from "../store/files/audit-columns.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";

/** A verdict as samples are drawn from. */
export interface VerdictRow {
  decision_id: string;
  level: number;
  inverse: boolean;
}

/** The verdicts of a run, by decision. */
export function verdictRows<T extends VerdictRow>({ db }: AuditTable): Promise<T[]> {
  return db.rows<T>(
    `SELECT decision_id, level, inverse FROM audits WHERE ${MAIN_ROWS} AND outcome = 'verdict' ORDER BY decision_id`,
  );
}

/** What the auditor said about a rated decision. */
export interface AuditedCase extends VerdictRow {
  pds: number | null;
  p_defensible: number | null;
  inverse_yes_prob: number | null;
}

/** The verdicts on these decisions. */
export function auditedCases({ db }: AuditTable, ids: readonly string[]): Promise<AuditedCase[]> {
  return db.rows<AuditedCase>(
    `SELECT decision_id, level, inverse, pds, p_defensible, inverse_yes_prob FROM audits
     WHERE ${MAIN_ROWS} AND outcome = 'verdict' AND decision_id IN (${ids.map(sqlString).join(", ")}) ORDER BY decision_id`,
  );
}

export async function communityCount({ db }: AuditTable): Promise<number> {
  const [row] = await db.rows<{ n: number }>("SELECT count(DISTINCT community)::INTEGER AS n FROM audits");
  return row!.n;
}

/** Decisions of a run, whatever their outcome. */
export async function decisionCount({ db }: AuditTable): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS}`);
  return row!.n;
}

/** What is compared with the truth of a simulated decision. */
export interface ComparedRow {
  decision_id: string;
  community: string;
  /** Index of the verdict's cell; negative without a verdict. */
  cell: number;
  tier: Tier | null;
  level: number;
  inverse: boolean;
  pds: number | null;
  p_defensible: number | null;
  same_family: boolean;
}

/** All decisions of a run, in batches. The table must have been opened with `TRUTH_COLUMNS`. */
export function comparedRows({ db }: AuditTable): AsyncIterable<ComparedRow[]> {
  return db.stream<ComparedRow>(
    `SELECT decision_id, community, cell::INTEGER AS cell, tier, level, inverse, pds, p_defensible,
       coalesce(contains(flags, 'same_family'), false) AS same_family
     FROM audits WHERE ${MAIN_ROWS}`,
  );
}

/** Keeps the audits of one cohort alone. Cohorts must have been loaded. */
export async function keepCohort({ db }: AuditTable, cohort: string): Promise<void> {
  await db.run(
    `DELETE FROM stored_audits WHERE decision_id NOT IN (SELECT decision_id FROM cohorts WHERE cohort = ${sqlString(cohort)})`,
  );
}
