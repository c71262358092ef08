import { InputError } from "../../core/errors.js";
import type { Evidence, GateKey } from "../../core/gate.js";
import { MAIN_ROWS } from "../audit-cells.js";
import type { MoreColumn } from "../audit-select.js";
import type { AuditTable } from "../audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohorts.js";

/** Columns with which a file must have been opened for `gateEvidence`. */
export const GATE_EVIDENCE = [
  "auditor",
  "auditor_version",
  "prompt_version",
  "template",
  "signal",
  "tier",
] as const satisfies readonly MoreColumn[];

const theOnly = (name: string) => `CASE WHEN min(${name}) = max(${name}) THEN nullif(min(${name}), '') END AS ${name}`;

/** The auditor of all verdicts of a table opened with this column; null if it names none or several. */
export async function oneAuditor({ db, has }: AuditTable): Promise<string | null> {
  if (!has("auditor")) return null;
  const [row] = await db.rows<{ auditor: string | null }>(
    `SELECT ${theOnly("auditor")} FROM audits WHERE ${MAIN_ROWS}`,
  );
  return row!.auditor;
}

/** Versions of the rules for each cohort's verdicts; "" if an audit does not say. The table must have been opened with this column. */
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

/** Auditor, versions and other provenance of a file's audits; null if the file does not say or has several values. */
export async function gateEvidence(table: AuditTable): Promise<Evidence> {
  const columns = GATE_EVIDENCE.map(theOnly);
  const [row] = await table.db.rows<Omit<Evidence, "run_id">>(
    `SELECT ${columns.join(", ")} FROM audits WHERE ${MAIN_ROWS}`,
  );
  return { run_id: null, ...row! } as Evidence;
}

/** Columns with which a file must have been opened for `readEvidence`. */
export const EVIDENCE_COLUMNS = [
  "auditor",
  "auditor_version",
  "prompt_version",
  "template",
  "signal",
  "missing",
  "tier",
] as const satisfies readonly MoreColumn[];

type FileEvidence = Record<(typeof EVIDENCE_COLUMNS)[number], string | null> & { temperature: number | null };

/** Auditor, versions and other provenance of a file's audits; null if the file does not say. A file of several auditors is refused. */
export async function readEvidence(table: AuditTable, label: string): Promise<FileEvidence> {
  const columns = EVIDENCE_COLUMNS.map(
    (name) => `list(DISTINCT ${name} ORDER BY ${name}) FILTER (${name} <> '')::VARCHAR[] AS ${name}`,
  );
  const [row] = await table.db.rows<Record<string, string[] | null> & { low: number | null; high: number | null }>(
    `SELECT ${columns.join(", ")}, min(temperature) AS low, max(temperature) AS high FROM audits WHERE arm = '' AND replicate = 0`,
  );
  const evidence = {} as Record<(typeof EVIDENCE_COLUMNS)[number], string | null>;
  for (const name of EVIDENCE_COLUMNS) {
    const values = row?.[name] ?? [];
    if (values.length > 1) {
      throw new InputError(
        "mixed_audits",
        `audits: ${label} has several values of ${name}: ${values.slice(0, 5).join(", ")}`,
        "A calibration is about one auditor, asked in one way: put these audits into files of their own.",
      );
    }
    evidence[name] = values[0] ?? null;
  }
  return { ...evidence, temperature: row && row.low === row.high ? row.low : null };
}

/** Audits of one arm by outcome. */
export interface ArmCount {
  arm: string;
  temperature: number | null;
  attempted: number;
  verdicts: number;
  unscored: number;
  errors: number;
}

/** The main rows, and the arms that repeat them at another temperature (`t=0.7`), coldest first. */
export async function countArms(table: AuditTable): Promise<ArmCount[]> {
  const rows = await table.db.rows<ArmCount & { low: number | null; high: number | null }>(
    `SELECT arm, min(temperature) AS low, max(temperature) AS high, count(*)::INTEGER AS attempted,
       count(*) FILTER (outcome = 'verdict')::INTEGER AS verdicts, count(*) FILTER (outcome = 'unscored')::INTEGER AS unscored,
       count(*) FILTER (outcome = 'error')::INTEGER AS errors
     FROM audits WHERE replicate = 0 AND (arm = '' OR regexp_matches(arm, '^t=[0-9.]+$')) GROUP BY arm`,
  );
  const arms = rows.map(({ low, high, ...row }) => ({ ...row, temperature: temperatureOf(row.arm, low, high) }));
  if (!arms.some(({ arm }) => arm === "")) {
    arms.push({ arm: "", temperature: null, attempted: 0, verdicts: 0, unscored: 0, errors: 0 });
  }
  return arms.sort((a, b) => (a.temperature ?? 0) - (b.temperature ?? 0) || (a.arm < b.arm ? -1 : 1));
}

function temperatureOf(arm: string, low: number | null, high: number | null): number | null {
  const named = arm === "" ? Number.NaN : Number(arm.slice(2));
  if (Number.isFinite(named)) return named;
  return low === high ? low : null;
}
