import { existsSync } from "node:fs";
import { InputError } from "../../core/errors.js";
import type { LabelSample } from "../../core/records/label.js";
import { sqlName, sqlString } from "../../store/files/duckdb.js";
import type { AuditSource, RecordsFile } from "../../store/ports.js";
import { unguarded } from "../audit-select.js";
import type { AuditTable } from "../audit-table.js";
import { loadJsonLines, loadJsonRows, openParquet, readCsvHeader } from "../json-lines-table.js";

/** Table (decision_id, level; of drawn labels also weight) that `readScoreColumns` takes what someone else said from. */
export const TARGETS = "targets";

/** Verdicts of the analysis that have a target, how many of these targets are level 3, and of how many decisions anything was said. */
export interface TargetCount {
  n: number;
  indefensible: number;
  given: number;
  /** Decisions that one rater gave different levels; only where there are any. */
  contradicted?: number;
  /** How labels were drawn; only of labels. */
  sample?: LabelSample;
}

/** The annotations that decisions carry themselves. */
export async function loadGoldTargets(
  table: AuditTable,
  decisions: { jsonl: string; parquet: string },
): Promise<TargetCount> {
  const parts: string[] = [];
  if (existsSync(decisions.parquet)) {
    const { relation, columns } = await openParquet(table.db, decisions.parquet);
    const gold = columns.find((column) => column.column_name === "gold");
    // Our own export keeps what has parts as JSON text.
    const level = gold?.column_type.startsWith("STRUCT") ? "gold.level" : "json_extract_string(gold::JSON, '$.level')";
    if (gold) parts.push(`SELECT id::VARCHAR AS decision_id, TRY_CAST(${level} AS INTEGER) AS level FROM ${relation}`);
  }
  if (existsSync(decisions.jsonl)) {
    await table.db.run("DROP TABLE IF EXISTS gold_lines");
    await loadJsonLines(table.db, decisions.jsonl, ["id", "gold.level"], "gold_lines");
    parts.push(`SELECT id AS decision_id, TRY_CAST("gold.level" AS INTEGER) AS level FROM gold_lines`);
  }
  if (parts.length === 0) return makeTargets(table, "SELECT NULL::VARCHAR AS decision_id, 0 AS level WHERE false");
  return makeTargets(
    table,
    `SELECT DISTINCT ON (decision_id) * FROM (${parts.join(" UNION ALL ")}) WHERE level IS NOT NULL`,
  );
}

/** The verdicts of another run or file on the same decisions. */
export async function loadVerdictTargets(table: AuditTable, source: AuditSource): Promise<TargetCount> {
  const fields = ["decision_id", "arm", "replicate", "outcome", "level"];
  const { relation, names } = await openFile(table, source, fields, "other_audits");
  const column = (name: string, otherwise: string) =>
    names.has(name) ? `coalesce(${sqlName(name)}::VARCHAR, ${otherwise})` : otherwise;
  return makeTargets(
    table,
    `SELECT ${source.format === "csv" ? unguarded("decision_id") : "decision_id::VARCHAR"} AS decision_id, TRY_CAST(level AS INTEGER) AS level
     FROM ${relation}
     WHERE ${column("arm", "''")} = '' AND ${column("replicate", "'0'")} IN ('0', '0.0') AND ${column("outcome", "'verdict'")} = 'verdict'
     QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1`,
  );
}

/** What most of a run's further audits of a decision (replicate 1 and up) said; on a tie the more severe. */
export async function loadReplicateTargets(table: AuditTable): Promise<TargetCount> {
  return makeTargets(
    table,
    majority(`SELECT decision_id, level FROM audits WHERE arm = '' AND replicate >= 1 AND outcome = 'verdict'`),
  );
}

/** Makes the table of targets, and counts it. */
export async function makeTargets(table: AuditTable, select: string): Promise<TargetCount> {
  await table.db.run(`CREATE OR REPLACE TABLE ${TARGETS} AS ${select}`);
  const [row] = await table.db.rows<TargetCount>(
    `SELECT count(*)::INTEGER AS n, count(*) FILTER (t.level = 3)::INTEGER AS indefensible,
       (SELECT count(*) FROM ${TARGETS})::INTEGER AS given
     FROM audits a JOIN ${TARGETS} t USING (decision_id)
     WHERE a.cell >= 0 AND a.arm = '' AND a.replicate = 0 AND t.level BETWEEN 1 AND 3`,
  );
  return row ?? { n: 0, indefensible: 0, given: 0 };
}

function majority(levels: string): string {
  return `SELECT decision_id, level FROM (${levels}) WHERE level BETWEEN 1 AND 3 GROUP BY decision_id, level
    QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY count(*) DESC, level DESC) = 1`;
}

/** A file as a relation with its line numbers as `line`, and the names of its columns. */
export async function openFile(
  table: AuditTable,
  { path, format, rows }: RecordsFile,
  fields: readonly string[],
  name: string,
): Promise<{ relation: string; names: ReadonlySet<string> }> {
  const { db } = table;
  if (!rows && !existsSync(path)) throw new InputError("no_file", `no file ${path}`, "Check the path.");
  if (rows || format === "jsonl") {
    await db.run(`DROP TABLE IF EXISTS ${name}`);
    await (rows ? loadJsonRows(db, rows, fields, name) : loadJsonLines(db, path, fields, name));
    return { relation: name, names: new Set(fields) };
  }
  const number = "row_number() OVER () AS line";
  if (format === "csv") {
    const { names, delimiter } = readCsvHeader(path);
    const columns = names.map((column) => `${sqlString(column)}: 'VARCHAR'`).join(", ");
    const relation = `(SELECT *, ${number} FROM read_csv(${sqlString(path)}, auto_detect = false, header = true, delim = ${sqlString(delimiter)},
      quote = '"', escape = '"', columns = {${columns}}, hive_partitioning = false))`;
    return { relation, names: new Set(names) };
  }
  const { relation, columns } = await openParquet(db, path);
  return {
    relation: `(SELECT *, ${number} FROM ${relation})`,
    names: new Set(columns.map((column) => column.column_name)),
  };
}
