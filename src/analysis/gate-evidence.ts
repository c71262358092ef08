import type { Evidence, GateKey } from "../core/gate.js";
import type { MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import { MAIN_ROWS } from "./main-rows.js";

/** What a file must have been opened with for `gateEvidence`. */
export const GATE_EVIDENCE = [
  "auditor",
  "auditor_version",
  "prompt_version",
  "template",
  "signal",
  "tier",
] as const satisfies readonly MoreColumn[];

const theOnly = (name: string) => `CASE WHEN min(${name}) = max(${name}) THEN nullif(min(${name}), '') END AS ${name}`;

/** Who gave all verdicts of a table that was opened with this column; null where it does not say, or names several. */
export async function oneAuditor({ db }: AuditTable): Promise<string | null> {
  const [row] = await db.rows<{ auditor: string | null }>(
    `SELECT ${theOnly("auditor")} FROM audits WHERE ${MAIN_ROWS}`,
  );
  return row!.auditor;
}

/** Versions of the rules under which each cohort's verdicts were given; "" where an audit does not say. The table was opened with this column. */
export async function rulesetVersions(table: AuditTable, by: readonly GateKey[]): Promise<Map<string, string[]>> {
  const rows = await table.db.rows<CohortRow & { version: string }>(
    `SELECT ${selectColumns(cohortColumns(by))}, coalesce(ruleset_version, '') AS version
     FROM audits WHERE ${MAIN_ROWS} AND cell >= 0 GROUP BY ALL ORDER BY version`,
  );
  const versions = new Map<string, string[]>();
  for (const { version, ...row } of rows) {
    const key = rowKey(by, row);
    const known = versions.get(key);
    if (!known) versions.set(key, [version]);
    else if (known.at(-1) !== version) known.push(version);
  }
  return versions;
}

/** Of whom and of what the audits of a file are; null where the file does not say, or says several things. */
export async function gateEvidence(table: AuditTable): Promise<Evidence> {
  const columns = GATE_EVIDENCE.map(theOnly);
  const [row] = await table.db.rows<Omit<Evidence, "run_id">>(
    `SELECT ${columns.join(", ")} FROM audits WHERE ${MAIN_ROWS}`,
  );
  return { run_id: null, ...row! } as Evidence;
}
