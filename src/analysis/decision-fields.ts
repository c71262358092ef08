import { existsSync } from "node:fs";
import { sqlName, sqlString } from "../store/files/audit-columns.js";
import type { DecisionFiles } from "../store/ports.js";
import type { AuditTable } from "./audit-table.js";
import { loadJsonLines } from "./json-lines-table.js";
import { openParquet } from "./parquet-columns.js";

/**
 * Loads fields of decisions (dotted names reach into objects) as text into table `decision_fields` (decision_id, and a column a field).
 * Lists stay JSON. A field that no decision has is NULL throughout.
 */
export async function loadDecisionFields(
  table: AuditTable,
  files: DecisionFiles,
  fields: readonly string[],
): Promise<void> {
  const { db } = table;
  const columns = fields.map((field) => `${sqlName(field)} VARCHAR`);
  await db.run(`CREATE OR REPLACE TABLE decision_fields (decision_id VARCHAR, ${columns.join(", ")})`);
  if (existsSync(files.parquet)) {
    const { relation, columns: described } = await openParquet(db, files.parquet);
    const types = new Map(described.map((column) => [column.column_name, column.column_type]));
    const values = fields.map((field) => parquetField(field, types));
    await db.run(`INSERT INTO decision_fields SELECT id::VARCHAR, ${values.join(", ")} FROM ${relation}`);
  }
  if (existsSync(files.jsonl)) {
    await db.run("DROP TABLE IF EXISTS decision_lines");
    await loadJsonLines(db, files.jsonl, ["id", ...fields], "decision_lines");
    await db.run(`INSERT INTO decision_fields SELECT id, ${fields.map(sqlName).join(", ")} FROM decision_lines`);
    await db.run("DROP TABLE decision_lines");
  }
}

/** Which of the loaded fields no decision has. */
export async function absentFields(table: AuditTable, fields: readonly string[]): Promise<string[]> {
  if (fields.length === 0) return [];
  const columns = fields.map((field, i) => `count(${sqlName(field)})::INTEGER AS n${i}`);
  const [row] = await table.db.rows<Record<string, number>>(`SELECT ${columns.join(", ")} FROM decision_fields`);
  return fields.filter((_, i) => !row?.[`n${i}`]);
}

/** A field of a Parquet file as text: objects may be structs or JSON, and a dotted name may be a column of its own. */
function parquetField(field: string, types: ReadonlyMap<string, string>): string {
  const [head, ...rest] = field.split(".");
  if (types.has(field) || rest.length === 0) {
    const type = types.get(field);
    if (type === undefined) return "NULL::VARCHAR";
    return type.endsWith("]") ? `to_json(${sqlName(field)})::VARCHAR` : `${sqlName(field)}::VARCHAR`;
  }
  const type = types.get(head!);
  if (type === undefined) return "NULL::VARCHAR";
  const json = type === "VARCHAR" ? `TRY_CAST(${sqlName(head!)} AS JSON)` : `to_json(${sqlName(head!)})`;
  return `json_extract_string(${json}, ${sqlString(`$.${rest.map((name) => `"${name}"`).join(".")}`)})`;
}
