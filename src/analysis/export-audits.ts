import { copyFileSync } from "node:fs";
import type { Audit } from "../core/records/audit.js";
import { csvHeader, csvRow } from "../core/records/csv-row.js";
import { AsideFile } from "../io/aside-file.js";
import { fileError } from "../io/files.js";
import { AUDIT_COLUMNS, columnsArgument, sqlString } from "../store/files/audit-columns.js";
import { type Duck, withDuckDB } from "../store/files/duckdb.js";
import type { RunStore } from "../store/ports.js";

export type ExportFormat = "jsonl" | "csv" | "parquet";

interface Column {
  name: string;
  field: string | null;
}

/** Columns of the CSV form: fields of objects stand under dotted names. */
const CSV_COLUMNS = Object.entries(AUDIT_COLUMNS).flatMap(([name, type]): Column[] => {
  const fields = /^STRUCT\((.*)\)$/.exec(type)?.[1];
  if (!fields) return [{ name, field: null }];
  return fields.split(", ").map((field) => ({ name, field: field.split(" ")[0]! }));
});

/** Writes the audits of a run to a file, streaming: aside first, then renamed. Returns how many there were. */
export async function exportAudits(
  ledger: RunStore,
  runId: string,
  format: ExportFormat,
  out: string,
): Promise<number> {
  const source = await ledger.snapshot(runId);
  if (format !== "parquet" || source.format !== "parquet") return writeAudits(ledger.audits(runId), format, out);
  // A sealed run is Parquet already.
  return writeAside(out, async (file) => {
    file.close();
    copyFileSync(source.path, file.aside);
    return withDuckDB((db) => parquetRows(db, file.aside));
  });
}

/** Writes audits to a file, aside first, then renamed. Returns how many there were. */
export async function writeAudits(audits: AsyncIterable<Audit[]>, format: ExportFormat, out: string): Promise<number> {
  return writeAside(out, (file) =>
    format === "parquet" ? writeParquet(audits, file) : writeLines(audits, format, file),
  );
}

/** Has a file written aside and puts it in its place when that is done. */
export async function writeAside<T>(out: string, write: (file: AsideFile) => Promise<T>): Promise<T> {
  const file = new AsideFile(out);
  try {
    const result = await write(file);
    file.commit();
    return result;
  } catch (cause) {
    throw fileError(cause, out);
  } finally {
    file.discard();
  }
}

async function writeLines(audits: AsyncIterable<Audit[]>, format: "jsonl" | "csv", file: AsideFile): Promise<number> {
  let rows = 0;
  const write =
    format === "csv" ? (audit: Audit) => csvRow(CSV_COLUMNS.map((column) => fieldOf(audit, column))) : jsonLine;
  if (format === "csv")
    file.write(csvHeader(CSV_COLUMNS.map(({ name, field }) => (field ? `${name}.${field}` : name))));
  for await (const batch of audits) {
    rows += batch.length;
    for (const audit of batch) file.write(write(audit));
  }
  return rows;
}

function jsonLine(audit: Audit): string {
  return `${JSON.stringify(audit)}\n`;
}

function fieldOf(audit: Audit, { name, field }: Column): unknown {
  const value: unknown = audit[name];
  return field === null ? value : (value as Record<string, unknown> | null | undefined)?.[field];
}

/** By way of lines, which DuckDB converts. */
async function writeParquet(audits: AsyncIterable<Audit[]>, file: AsideFile): Promise<number> {
  file.close();
  const lines = new AsideFile(`${file.aside}.jsonl`);
  try {
    await writeLines(audits, "jsonl", lines);
    lines.close();
    return await withDuckDB(async (db) => {
      await db.run(
        `COPY (SELECT * FROM read_json(${sqlString(lines.aside)}, format = 'newline_delimited', columns = ${columnsArgument()}))
         TO ${sqlString(file.aside)} (FORMAT parquet, COMPRESSION zstd)`,
      );
      return parquetRows(db, file.aside);
    });
  } finally {
    lines.discard();
  }
}

async function parquetRows(db: Duck, path: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    `SELECT count(*)::INTEGER AS n FROM read_parquet(${sqlString(path)}, hive_partitioning = false)`,
  );
  return row?.n ?? 0;
}
