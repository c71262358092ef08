import { existsSync } from "node:fs";
import { readLines } from "../io/read-lines.js";
import { sqlName } from "../store/files/audit-columns.js";
import type { Duck } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { openSource } from "./apply-calibration.js";
import { finiteValue, typedColumns } from "./audit-cells.js";
import { LISTED } from "./listed-decisions.js";

/** An audit as its file has it; each field may be missing or of another type. */
export type AuditRow = Record<string, unknown>;

/**
 * The audits of listed decisions as their file has them, of any arm and the first replicate, a batch at a time. A file that is still being
 * written may have several rows of a key; the last one counts.
 */
export async function* readListedAudits(
  db: Duck,
  source: AuditSource,
  listed: ReadonlySet<string>,
): AsyncGenerator<AuditRow[]> {
  const rows = source.format === "jsonl" ? lines(source.path, listed) : cells(db, source);
  for await (const batch of rows) yield batch.filter((row) => Number(row.replicate ?? 0) === 0);
}

async function* lines(path: string, listed: ReadonlySet<string>): AsyncGenerator<AuditRow[]> {
  if (!existsSync(path)) return;
  for await (const batch of readLines(path)) {
    const rows = batch.map((line) => parse(line.text));
    yield rows.filter((row): row is AuditRow => row !== null && listed.has(String(row.decision_id))).map(nested);
  }
}

async function* cells(db: Duck, source: AuditSource): AsyncGenerator<AuditRow[]> {
  const { relation, columns } = await openSource(db, source);
  const typed =
    source.format === "csv"
      ? typedColumns(
          columns.map(({ name }) => name),
          "f",
        )
      : columns.map(({ name, type }) => ({ name, value: finiteValue(`f.${sqlName(name)}`, type) }));
  const list = typed.map(({ name, value }) => `${value} AS ${sqlName(name)}`).join(", ");
  const id = typed.find(({ name }) => name === "decision_id")!.value;
  const rows = db.stream<{ json: string }>(
    `SELECT to_json(a)::VARCHAR AS json FROM
       (SELECT ${list} FROM ${relation} f WHERE (${id})::VARCHAR IN (SELECT decision_id FROM ${LISTED})) AS a`,
  );
  for await (const batch of rows) yield batch.map(({ json }) => JSON.parse(json));
}

function parse(text: string): AuditRow | null {
  try {
    const row: unknown = JSON.parse(text);
    return typeof row === "object" ? (row as AuditRow | null) : null;
  } catch {
    return null;
  }
}

const PARTS = ["trace", "citation", "inverse_citation", "error"];

/** A file may have fields of objects under dotted names. */
function nested(row: AuditRow): AuditRow {
  for (const [name, value] of Object.entries(row)) {
    const [head = "", field] = name.split(".");
    if (field === undefined || !PARTS.includes(head)) continue;
    row[head] ??= {};
    (row[head] as AuditRow)[field] ??= value;
  }
  return row;
}
