import { existsSync } from "node:fs";
import { InputError } from "../errors.js";
import { sqlName, sqlString } from "./audit-columns.js";
import { unguarded } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { readCsvHeader } from "./csv-header.js";
import { loadJsonLines } from "./json-lines-table.js";
import type { AuditSource } from "./ledger.js";
import { openParquet } from "./parquet-columns.js";

/** Table (decision_id, level) that `readScoreColumns` takes what somebody else said from. */
export const TARGETS = "targets";

/** Verdicts of the analysis that have a target, how many of these targets are level 3, and of how many decisions anything was said. */
export interface TargetCount {
  n: number;
  indefensible: number;
  given: number;
  /** Decisions that one rater gave different levels; only where there are any. */
  contradicted?: number;
}

/** People's and others' labels of one source. Several raters: the level most of them gave, on a tie the more severe; a rater counts once, by the last word. */
export async function loadLabelTargets(
  table: AuditTable,
  file: { path: string; format: AuditSource["format"] },
  source: "human" | "gold" | "auditor",
): Promise<TargetCount> {
  const labels = await openLabels(table, file);
  const ofSource = `SELECT * FROM ${labels} WHERE source = ${sqlString(source)}`;
  const count = await make(
    table,
    majority(
      `SELECT decision_id, level FROM (${ofSource})
       QUALIFY row_number() OVER (PARTITION BY decision_id, coalesce(rater, line::VARCHAR) ORDER BY line DESC) = 1`,
    ),
  );
  const [row] = await table.db.rows<{ n: number }>(
    `SELECT count(DISTINCT decision_id)::INTEGER AS n FROM (SELECT decision_id FROM (${ofSource}) WHERE rater IS NOT NULL
       GROUP BY decision_id, rater HAVING count(DISTINCT level) > 1)`,
  );
  return row?.n ? { ...count, contradicted: row.n } : count;
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
  if (parts.length === 0) return make(table, "SELECT NULL::VARCHAR AS decision_id, 0 AS level WHERE false");
  return make(table, `SELECT DISTINCT ON (decision_id) * FROM (${parts.join(" UNION ALL ")}) WHERE level IS NOT NULL`);
}

/** The verdicts of another run or file on the same decisions. */
export async function loadVerdictTargets(table: AuditTable, source: AuditSource): Promise<TargetCount> {
  const fields = ["decision_id", "arm", "replicate", "outcome", "level"];
  const { relation, names } = await openFile(table, source, fields, "other_audits");
  const column = (name: string, otherwise: string) =>
    names.has(name) ? `coalesce(${sqlName(name)}::VARCHAR, ${otherwise})` : otherwise;
  return make(
    table,
    `SELECT ${source.format === "csv" ? unguarded("decision_id") : "decision_id::VARCHAR"} AS decision_id, TRY_CAST(level AS INTEGER) AS level
     FROM ${relation}
     WHERE ${column("arm", "''")} = '' AND ${column("replicate", "'0'")} IN ('0', '0.0') AND ${column("outcome", "'verdict'")} = 'verdict'
     QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1`,
  );
}

/** What most of a run's further audits of a decision (replicate 1 and up) said; on a tie the more severe. */
export async function loadReplicateTargets(table: AuditTable): Promise<TargetCount> {
  return make(
    table,
    majority(`SELECT decision_id, level FROM audits WHERE arm = '' AND replicate >= 1 AND outcome = 'verdict'`),
  );
}

async function make(table: AuditTable, select: string): Promise<TargetCount> {
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

/** View `labels` (decision_id, level, source, rater, line) on a file of labels; a file that does not say its source is of people. */
async function openLabels(table: AuditTable, file: { path: string; format: AuditSource["format"] }): Promise<string> {
  const fields = ["decision_id", "level", "source", "rater"];
  const { relation, names } = await openFile(table, file, fields, "label_rows");
  const missing = ["decision_id", "level"].filter((name) => !names.has(name));
  if (missing.length > 0) {
    throw new InputError(
      "missing_columns",
      `labels: ${file.path} lacks ${missing.join(" and ")}`,
      "A label is decision_id, level (1 to 3) and, unless it is a person's, source (docs/formats.md).",
    );
  }
  const [row] = await table.db.rows<{ n: number; first: string }>(
    `SELECT count(*)::INTEGER AS n, any_value(level)::VARCHAR AS first FROM ${relation} WHERE TRY_CAST(level AS DOUBLE) NOT IN (1, 2, 3)
       OR TRY_CAST(level AS DOUBLE) IS NULL`,
  );
  if (row?.n) {
    throw new InputError(
      "bad_labels",
      `labels: ${file.path} has ${row.n} row${row.n === 1 ? "" : "s"} whose level is not 1, 2 or 3; got ${row.first ?? "nothing"}`,
      "Mend these rows. (A decision's human_label is what a person decided, not a label of defensibility.)",
    );
  }
  const text = (name: string) => (names.has(name) ? `nullif(${sqlName(name)}::VARCHAR, '')` : "NULL::VARCHAR");
  const id = file.format === "csv" ? unguarded("decision_id") : "decision_id::VARCHAR";
  const source = `coalesce(lower(nullif(trim(${text("source")}), '')), 'human')`;
  const [unknown] = await table.db.rows<{ n: number; names: string[] | null }>(
    `SELECT count(*)::INTEGER AS n, list(DISTINCT ${text("source")} ORDER BY ${text("source")}) AS names FROM ${relation}
     WHERE ${source} NOT IN ('human', 'gold', 'auditor')`,
  );
  if (unknown?.n) {
    const said = unknown.names!.slice(0, 5).map((name) => `"${name}"`);
    throw new InputError(
      "bad_labels",
      `labels: ${file.path} has ${unknown.n} row${unknown.n === 1 ? "" : "s"} of an unknown source; got ${said.join(", ")}, expected human, gold or auditor`,
      "Mend these rows, or leave the source out: then they are people's.",
    );
  }
  await table.db.run(
    `CREATE OR REPLACE VIEW labels AS SELECT ${id} AS decision_id, TRY_CAST(level AS INTEGER) AS level,
       ${source} AS source, ${text("rater")} AS rater, line FROM ${relation}`,
  );
  return "labels";
}

/** A file as a relation with its line numbers as `line`, and the names of its columns. */
export async function openFile(
  table: AuditTable,
  { path, format }: { path: string; format: AuditSource["format"] },
  fields: readonly string[],
  name: string,
): Promise<{ relation: string; names: ReadonlySet<string> }> {
  const { db } = table;
  if (!existsSync(path)) throw new InputError("no_file", `no file ${path}`, "Check the path.");
  if (format === "jsonl") {
    await db.run(`DROP TABLE IF EXISTS ${name}`);
    await loadJsonLines(db, path, fields, name);
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
