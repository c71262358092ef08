import { type Actions, isRestricting } from "../core/records/actions.js";
import type { Audit, Flag } from "../core/records/audit.js";
import { FORMULA } from "../core/records/csv-row.js";
import { readLines } from "../io/read-lines.js";
import { applyToColumns, type CalibrationModel } from "../measures/calibration/calibration-model.js";
import { compileCalibration } from "../measures/calibration/compile-calibration.js";
import { isTwoClass, twoClassColumns } from "../measures/calibration/fit/methods.js";
import { type ScoreRow, scoreRow } from "../measures/calibration/score-columns.js";
import { type Duck, duckdb, sqlName, sqlString } from "../store/files/duckdb.js";
import { AUDIT_COLUMNS } from "../store/files/seal.js";
import type { AuditSource } from "../store/ports.js";
import { finiteValue, structFields, typedColumns } from "./audit-cells.js";
import type { AuditTable } from "./audit-table.js";
import { type ExportFormat, writeAside, writeAudits } from "./export.js";
import { readCsvHeader } from "./json-lines-table.js";
import { readScoreColumns } from "./score-table.js";

const OWN_COLUMNS = new Set(["p_calibrated", "calibration_id"]);

interface FileColumn {
  name: string;
  type: string;
}

/** Copies a CSV or Parquet file of audits and adds the scores of table `scores` to its rows. */
async function copyWithScores(
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
  // Joined by position, not by key: both are in the order of the file.
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

/** The output columns: those of a CSV file get their types in other formats; in a CSV file, objects become dotted columns or JSON. */
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
    // Parquet may contain NaN; JSON may not.
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

/** Puts a `'` before text that a spreadsheet would interpret as a formula. */
function guarded(text: string): string {
  return `CASE WHEN regexp_matches(${text}, ${sqlString(`^${FORMULA}`)}) THEN '''' || ${text} ELSE ${text} END`;
}

/** The flags with `foreign_calibration` added: a list, or its text in a CSV file or where the file has text. */
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

/** A model, with its name in the audits. */
export interface AppliedCalibration {
  calibration_id: string;
  model: CalibrationModel;
  /** Whether the audits are not of the kind it was fitted on; they are then flagged. */
  foreign: boolean;
}

export interface ApplyCounts {
  rows: number;
  /** Audits with the signals that the model needs. */
  calibrated: number;
}

/** Writes audits with their calibrated probability (`p_calibrated`, `calibration_id`) to a file; everything else is unchanged. */
export async function applyToAudits(
  audits: AsyncIterable<Audit[]>,
  applied: AppliedCalibration,
  actions: Actions,
  out: { path: string; format: ExportFormat },
): Promise<ApplyCounts> {
  const compiled = compileCalibration(applied.model);
  const twoClass = isTwoClass(applied.model);
  let calibrated = 0;
  const change = (audit: Audit): Audit => {
    const score = isVerdict(audit) ? compiled.defensible(rowOf(audit, actions, twoClass)) : null;
    const p = Number.isFinite(score) ? score : null;
    if (p !== null) calibrated++;
    const flags: Flag[] = (audit.flags ?? []).filter((flag) => flag !== "foreign_calibration");
    if (applied.foreign && p !== null) flags.push("foreign_calibration");
    return { ...audit, p_calibrated: p, calibration_id: p === null ? null : applied.calibration_id, flags };
  };
  async function* changed(): AsyncGenerator<Audit[]> {
    for await (const batch of audits) yield batch.map(change);
  }
  return { rows: await writeAudits(changed(), out.format, out.path), calibrated };
}

/** The same for a file of another tool, with all of its columns kept. The table must contain that file, opened with the columns of scores. */
export async function applyToFile(
  table: AuditTable,
  source: AuditSource,
  applied: AppliedCalibration,
  out: { path: string; format: ExportFormat },
): Promise<ApplyCounts> {
  if (source.format === "jsonl") return applyToAudits(jsonAudits(source.path), applied, table.actions, out);
  const columns = await readScoreColumns(table, { all: true });
  const scores = applyToColumns(applied.model, isTwoClass(applied.model) ? twoClassColumns(columns) : columns);
  let calibrated = 0;
  for (let i = 0; i < columns.n; i++) {
    if (columns.level[i] === 0 || !Number.isFinite(scores[i])) scores[i] = Number.NaN;
    if (!Number.isNaN(scores[i])) calibrated++;
  }
  await storeScores(table.db, scores);
  await writeAside(out.path, async (file) => {
    file.close();
    await copyWithScores(table.db, source, applied, { path: file.aside, format: out.format });
  });
  return { rows: columns.n, calibrated };
}

const BATCH = 2048;

/** Table `scores` (p), with a row for each row of the file in its order. */
async function storeScores(db: Duck, scores: Float64Array): Promise<void> {
  const { DuckDBDataChunk, DOUBLE } = duckdb();
  await db.run("CREATE OR REPLACE TABLE scores (p DOUBLE)");
  const appender = await db.connection.createAppender("scores");
  for (let start = 0; start < scores.length; start += BATCH) {
    const part = scores.subarray(start, start + BATCH);
    const chunk = DuckDBDataChunk.create([DOUBLE], part.length);
    chunk.setColumnValues(
      0,
      Array.from(part, (p) => (Number.isNaN(p) ? null : p)),
    );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

async function* jsonAudits(path: string): AsyncGenerator<Audit[]> {
  for await (const lines of readLines(path)) {
    // The table has been read from these lines, so all are objects except a torn last one.
    yield lines.flatMap((line) => {
      try {
        return [JSON.parse(line.text) as Audit];
      } catch {
        return [];
      }
    });
  }
}

function isVerdict(audit: Audit): boolean {
  return (audit.outcome ?? "verdict") === "verdict";
}

/** If only `p_defensible` is known, a two-class model uses it as the probability of levels 1 and 2 together. */
function rowOf(audit: Audit, actions: Actions, twoClass: boolean): ScoreRow {
  const row = scoreRow(audit, isRestricting(actions, audit.decision));
  const p = twoClass && typeof audit.p_defensible === "number" ? audit.p_defensible : null;
  return row.level_probs === null && p !== null ? { ...row, level_probs: [p, 0, 1 - p] } : row;
}
