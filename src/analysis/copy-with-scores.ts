import { FORMULA } from "../core/records/csv-row.js";
import { AUDIT_COLUMNS, sqlName, sqlString } from "../store/files/audit-columns.js";
import type { Duck } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import type { AppliedCalibration } from "./apply-calibration.js";
import { typedColumns } from "./audit-cells.js";
import { readCsvHeader } from "./csv-header.js";
import type { ExportFormat } from "./export-audits.js";
import { finiteValue, structFields } from "./finite-values.js";

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
  const all = outputColumns(columns, source.format, out.format);
  const list = [
    ...all
      .filter(({ name }) => !OWN_COLUMNS.has(name) && !(name === "flags" && applied.foreign))
      .map(({ name, value }) => `${value} AS ${sqlName(name)}`),
    "s.p AS p_calibrated",
    `CASE WHEN s.p IS NOT NULL THEN ${sqlString(applied.calibration_id)} END AS calibration_id`,
    ...(applied.foreign ? [flagged(columns, source.format, out.format)] : []),
  ];
  const how = { csv: "FORMAT csv, HEADER", jsonl: "FORMAT json", parquet: "FORMAT parquet, COMPRESSION zstd" };
  // By place, not by key: both are in the order of the file.
  await db.run(
    `COPY (SELECT ${list.join(", ")} FROM ${relation} f POSITIONAL JOIN scores s) TO ${sqlString(out.path)} (${how[out.format]})`,
  );
}

export async function openSource(db: Duck, source: AuditSource): Promise<{ relation: string; columns: FileColumn[] }> {
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

/** How columns are written: those of a CSV file in their types in other formats; what has parts as dotted columns or JSON in a CSV file. */
function outputColumns(
  columns: readonly FileColumn[],
  from: AuditSource["format"],
  to: ExportFormat,
): { name: string; value: string }[] {
  if (from === "csv" && to !== "csv")
    return typedColumns(
      columns.map(({ name }) => name),
      "f",
    );
  return columns.flatMap(({ name, type }) => {
    const value = `f.${sqlName(name)}`;
    if (to === "csv" && from !== "csv") return csvColumns(name, value, type);
    // Parquet may hold NaN; JSON may not.
    return [{ name, value: to === "jsonl" ? finiteValue(value, type) : value }];
  });
}

function csvColumns(name: string, value: string, type: string): { name: string; value: string }[] {
  const fields = /^STRUCT\((.*)\)$/.exec((AUDIT_COLUMNS as Record<string, string>)[name] ?? "")?.[1];
  if (fields && type.startsWith("STRUCT(")) {
    return structFields(fields)
      .filter((field) => new RegExp(`[( ]"?${field.name}"? `).test(type))
      .map((field) => ({
        name: `${name}.${field.name}`,
        value: guarded(`${value}.${sqlName(field.name)}::VARCHAR`),
      }));
  }
  if (type === "VARCHAR") return [{ name, value: guarded(value) }];
  if (/\[\]|STRUCT|MAP/.test(type)) return [{ name, value: `to_json(${value})::VARCHAR` }];
  return [{ name, value }];
}

/** Text that a spreadsheet would take for a formula gets a `'` before it. */
function guarded(text: string): string {
  return `CASE WHEN regexp_matches(${text}, ${sqlString(`^${FORMULA}`)}) THEN '''' || ${text} ELSE ${text} END`;
}

/** The flags with `foreign_calibration` among them: a list, or its text in a CSV file and where the file has text. */
function flagged(columns: readonly FileColumn[], from: AuditSource["format"], to: ExportFormat): string {
  const flag = "foreign_calibration";
  const flags = columns.find(({ name }) => name === "flags");
  const typed = from === "csv" && to !== "csv" ? typedColumns(["flags"], "f")[0]!.value : null;
  if (!flags) {
    return `CASE WHEN s.p IS NOT NULL THEN ${to === "csv" ? `'["${flag}"]'` : `['${flag}']`} END AS flags`;
  }
  const column = typed ? `(${typed})` : `f.${sqlName("flags")}`;
  if (typed || flags.type !== "VARCHAR") {
    return `CASE WHEN s.p IS NULL OR list_contains(${column}, '${flag}') THEN ${column}
      ELSE list_append(coalesce(${column}, []), '${flag}') END AS flags`;
  }
  return `CASE WHEN s.p IS NULL OR contains(coalesce(${column}, ''), '${flag}') THEN ${column}
    WHEN coalesce(${column}, '') IN ('', '[]') THEN '["${flag}"]'
    ELSE regexp_replace(${column}, '\\]\\s*$', ',"${flag}"]') END AS flags`;
}
