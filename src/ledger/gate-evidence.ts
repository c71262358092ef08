import type { Evidence } from "../domain/gate.js";
import type { MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
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

/** Of whom and of what the audits of a file are; null where the file does not say, or says several things. */
export async function gateEvidence(table: AuditTable): Promise<Evidence> {
  const columns = GATE_EVIDENCE.map(theOnly);
  const [row] = await table.db.rows<Omit<Evidence, "run_id">>(
    `SELECT ${columns.join(", ")} FROM audits WHERE ${MAIN_ROWS}`,
  );
  return { run_id: null, ...row! } as Evidence;
}
