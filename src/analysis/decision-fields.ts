import { existsSync } from "node:fs";
import { sqlName, sqlString } from "../store/files/duckdb.js";
import type { DecisionFiles } from "../store/ports.js";
import type { AuditTable } from "./audit-table.js";
import { loadJsonLines, openParquet } from "./json-lines-table.js";

/** A verdict of a run, and what is known of its decision from elsewhere. */
export interface AttackCandidate {
  decision_id: string;
  community: string;
  decision: string;
  level: number;
  inverse: boolean;
  grounded: boolean | null;
  /** Scope and id of the cited rule. */
  scope: string | null;
  rule_id: string | null;
  /** Truth of a simulated world, else gold; null: nothing is known. */
  known_level: number | null;
  known_inverse: boolean | null;
  known_scope: string | null;
  known_rule: string | null;
  /** Ids of the rules that gold names, as a JSON list. */
  gold_rules: string | null;
}

/**
 * Every verdict of a run, in the order of ids. `truth`: the file of a simulated world; it goes before gold.
 */
export async function readAttackCandidates(
  table: AuditTable,
  decisions: DecisionFiles,
  truth: string | null,
): Promise<AttackCandidate[]> {
  const { db } = table;
  await loadDecisionFields(table, decisions, ["gold.level", "gold.inverse", "gold.rule_ids"]);
  await db.run("DROP TABLE IF EXISTS truth_lines");
  const fields = ["decision_id", "level", "inverse", "rule.scope", "rule.rule_id"];
  if (truth !== null && existsSync(truth)) await loadJsonLines(db, truth, fields, "truth_lines");
  else {
    const columns = fields.map((field) => `"${field}" VARCHAR`);
    await db.run(`CREATE TABLE truth_lines (${columns.join(", ")})`);
  }
  return db.rows<AttackCandidate>(
    `SELECT a.decision_id, a.community, a.decision, a.level::INTEGER AS level, a.inverse, a.citation_grounded AS grounded,
       a.citation_scope AS scope, a.citation_rule_id AS rule_id,
       coalesce(TRY_CAST(t.level AS INTEGER), TRY_CAST(g."gold.level" AS INTEGER)) AS known_level,
       coalesce(TRY_CAST(t.inverse AS BOOLEAN), TRY_CAST(g."gold.inverse" AS BOOLEAN)) AS known_inverse,
       t."rule.scope" AS known_scope, t."rule.rule_id" AS known_rule, g."gold.rule_ids" AS gold_rules
     FROM audits a LEFT JOIN truth_lines t USING (decision_id) LEFT JOIN decision_fields g USING (decision_id)
     WHERE a.arm = '' AND a.replicate = 0 AND a.cell >= 0 ORDER BY a.decision_id`,
  );
}

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
