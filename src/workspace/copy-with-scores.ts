import { AUDIT_COLUMNS, sqlName, sqlString } from "../ledger/audit-columns.js";
import { unguarded } from "../ledger/audit-select.js";
import { readCsvHeader } from "../ledger/csv-header.js";
import type { Duck } from "../ledger/duckdb.js";
import type { AuditSource } from "../ledger/ledger.js";
import type { AppliedCalibration } from "./apply-calibration.js";
import type { ExportFormat } from "./export-audits.js";

const OWN_COLUMNS = new Set(["p_calibrated", "calibration_id"]);

interface FileColumn {
  name: string;
  type: string;
}

/** Copies a CSV or Parquet file of audits with the scores of table `scores` beside its rows. */
export async function copyWithScores(
  db: Duck,
  source: AuditSource,
  applied: AppliedCalibration,
  out: { path: string; format: ExportFormat },
): Promise<void> {
  const { relation, columns } = await openSource(db, source);
  const kept = columns
    .filter(({ name }) => !OWN_COLUMNS.has(name) && !(name === "flags" && applied.foreign))
    .flatMap((column) => selected(column, source.format, out.format));
  const list = [
    ...kept,
    "s.p AS p_calibrated",
    `CASE WHEN s.p IS NOT NULL THEN ${sqlString(applied.calibration_id)} END AS calibration_id`,
    ...(applied.foreign ? [flagged(columns.find(({ name }) => name === "flags"))] : []),
  ];
  const how = { csv: "FORMAT csv, HEADER", jsonl: "FORMAT json", parquet: "FORMAT parquet, COMPRESSION zstd" };
  // By place, not by key: both are in the order of the file.
  await db.run(
    `COPY (SELECT ${list.join(", ")} FROM ${relation} f POSITIONAL JOIN scores s) TO ${sqlString(out.path)} (${how[out.format]})`,
  );
}

async function openSource(db: Duck, source: AuditSource): Promise<{ relation: string; columns: FileColumn[] }> {
  if (source.format === "csv") {
    const { names, delimiter } = readCsvHeader(source.path);
    const types = names.map((name) => `${sqlString(name)}: 'VARCHAR'`).join(", ");
    const relation = `read_csv(${sqlString(source.path)}, auto_detect = false, header = true, delim = ${sqlString(delimiter)}, quote = '"',
      escape = '"', columns = {${types}}, hive_partitioning = false)`;
    return { relation, columns: names.map((name) => ({ name, type: "VARCHAR" })) };
  }
  const relation = `read_parquet(${sqlString(source.path)}, hive_partitioning = false)`;
  const columns = await db.rows<FileColumn>(
    `SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM ${relation})`,
  );
  return { relation, columns };
}

/** How a column is written: numbers of a CSV file as numbers in other formats; what has parts as dotted columns or JSON in a CSV file. */
function selected({ name, type }: FileColumn, from: AuditSource["format"], to: ExportFormat): string[] {
  const column = `f.${sqlName(name)}`;
  if (from === "csv" && to !== "csv") {
    const known = (AUDIT_COLUMNS as Record<string, string>)[name];
    const isNumber = known === "DOUBLE" || known === "INTEGER" || known === "TINYINT";
    return [`${isNumber ? `TRY_CAST(${column} AS ${known})` : unguarded(column)} AS ${sqlName(name)}`];
  }
  if (from === "csv" || to !== "csv") return [`${column} AS ${sqlName(name)}`];
  const fields = /^STRUCT\((.*)\)$/.exec((AUDIT_COLUMNS as Record<string, string>)[name] ?? "")?.[1];
  if (fields && type.startsWith("STRUCT(")) {
    const names = fields.split(", ").map((field) => field.split(" ")[0]!);
    return names
      .filter((field) => new RegExp(`[( ]"?${field}"? `).test(type))
      .map((field) => `${guarded(`${column}.${sqlName(field)}::VARCHAR`)} AS ${sqlName(`${name}.${field}`)}`);
  }
  if (type === "VARCHAR") return [`${guarded(column)} AS ${sqlName(name)}`];
  if (/\[\]|STRUCT|MAP/.test(type)) return [`to_json(${column})::VARCHAR AS ${sqlName(name)}`];
  return [`${column} AS ${sqlName(name)}`];
}

/** Text that a spreadsheet would take for a formula gets a `'` before it. */
function guarded(text: string): string {
  return `CASE WHEN regexp_matches(${text}, '^''*[=+\\-@\\t\\r]') THEN '''' || ${text} ELSE ${text} END`;
}

/** The flags with `foreign_calibration` among them, in the form the file has them in. */
function flagged(flags: FileColumn | undefined): string {
  const flag = "foreign_calibration";
  if (!flags) return `CASE WHEN s.p IS NOT NULL THEN '["${flag}"]' END AS flags`;
  const column = `f.${sqlName("flags")}`;
  if (flags.type !== "VARCHAR") {
    return `CASE WHEN s.p IS NULL OR list_contains(${column}, '${flag}') THEN ${column}
      ELSE list_append(coalesce(${column}, []), '${flag}') END AS flags`;
  }
  return `CASE WHEN s.p IS NULL OR contains(coalesce(${column}, ''), '${flag}') THEN ${column}
    WHEN coalesce(${column}, '') IN ('', '[]') THEN '["${flag}"]'
    ELSE regexp_replace(${column}, '\\]\\s*$', ',"${flag}"]') END AS flags`;
}
