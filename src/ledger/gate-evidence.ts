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

/** Of whom and of what the audits of a file are; null where the file does not say, or says several things. */
export async function gateEvidence(table: AuditTable): Promise<Evidence> {
  const columns = GATE_EVIDENCE.map(
    (name) => `CASE WHEN min(${name}) = max(${name}) THEN nullif(min(${name}), '') END AS ${name}`,
  );
  const [row] = await table.db.rows<Omit<Evidence, "run_id">>(
    `SELECT ${columns.join(", ")} FROM audits WHERE ${MAIN_ROWS}`,
  );
  return { run_id: null, ...row! } as Evidence;
}
