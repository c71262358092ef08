import { copyFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { EnvironmentError, InputError } from "../core/errors.js";
import type { Audit } from "../core/records/audit.js";
import { csvHeader, csvRow } from "../core/records/csv-row.js";
import { AsideFile, fileError, syncFile, syncFolder } from "../io/files.js";
import { type Duck, sqlString, withDuckDB } from "../store/files/duckdb.js";
import { AUDIT_COLUMNS, columnsArgument } from "../store/files/seal.js";
import { contentFromText } from "../store/formats/csv-table.js";
import type { RunStore } from "../store/ports.js";
import { RECORD_KINDS, type RecordObject } from "../store/records/record-kinds.js";

export type ExportFormat = "jsonl" | "csv" | "parquet";

interface Column {
  name: string;
  field: string | null;
}

/** Columns of the CSV form, with dotted names for fields of objects. */
const CSV_COLUMNS = Object.entries(AUDIT_COLUMNS).flatMap(([name, type]): Column[] => {
  const fields = /^STRUCT\((.*)\)$/.exec(type)?.[1];
  if (!fields) return [{ name, field: null }];
  return fields.split(", ").map((field) => ({ name, field: field.split(" ")[0]! }));
});

/** Streams the audits of a run to a temporary file, then renames it. Returns their number. */
export async function exportAudits(
  ledger: RunStore,
  runId: string,
  format: ExportFormat,
  out: string,
): Promise<number> {
  const source = await ledger.snapshot(runId);
  if (format !== "parquet" || source.format !== "parquet") return writeAudits(ledger.audits(runId), format, out);
  // A sealed run is already Parquet.
  return writeAside(out, async (file) => {
    file.close();
    copyFileSync(source.path, file.aside);
    return withDuckDB((db) => parquetRows(db, file.aside));
  });
}

/** Writes audits to a temporary file, then renames it. Returns their number. */
export async function writeAudits(audits: AsyncIterable<Audit[]>, format: ExportFormat, out: string): Promise<number> {
  return writeAside(out, (file) =>
    format === "parquet" ? writeParquet(audits, file) : writeLines(audits, format, file),
  );
}

/** Writes a temporary file and renames it to `out` when complete. */
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

/** Writes JSON lines, which DuckDB then converts. */
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

/** DuckDB's minimum. Posts may be long, and a group is held in memory. */
const ROW_GROUP = 2048;
/** DuckDB reserves twice this much. It is raised if lines are longer. */
const MAX_LINE_BYTES = 16 << 20;

/**
 * Decisions as Parquet. Plain fields are text columns, and tags a list; objects are JSON columns, so that members outside the format are kept;
 * content is text if all of it is.
 */
export async function writeDecisionsParquet(decisions: AsyncGenerator<RecordObject[]>, out: string): Promise<number> {
  const lines = new AsideFile(`${out}.jsonl`);
  const aside = `${lines.aside}.parquet`;
  try {
    const columns = new ParquetColumns();
    for await (const batch of decisions) {
      for (const decision of batch) {
        const line = `${JSON.stringify(decision)}\n`;
        columns.note(decision, line.length);
        lines.write(line);
      }
    }
    lines.close();
    await withDuckDB((db) => db.run(columns.copy(lines.aside, aside)), { threads: 1 });
    syncFile(aside);
    renameSync(aside, out);
    syncFolder(dirname(out));
    return columns.rows;
  } catch (cause) {
    throw duckError(cause, out);
  } finally {
    lines.discard();
    rmSync(aside, { force: true });
  }
}

class ParquetColumns {
  rows = 0;
  private longest = 0;
  private contentIsText = true;
  private readonly others = new Set<string>();

  note(decision: RecordObject, length: number): void {
    this.rows++;
    this.longest = Math.max(this.longest, length);
    const { content } = decision;
    // Text that looks like an object with a body would be read back as an object.
    this.contentIsText &&= typeof content === "string" && typeof contentFromText(content) === "string";
    const { byName } = RECORD_KINDS.decisions.fields;
    for (const key of Object.keys(decision)) if (!byName.has(key)) this.others.add(key);
  }

  copy(from: string, to: string): string {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    const size = Math.max(MAX_LINE_BYTES, 3 * this.longest + 1024);
    return `COPY (SELECT * FROM read_json(${sqlString(from)}, format = 'newline_delimited', maximum_object_size = ${size},
        columns = ${columnsArgument(this.types())}))
      TO ${sqlString(to)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`;
  }

  private types(): Record<string, string> {
    const types: Record<string, string> = {};
    for (const field of RECORD_KINDS.decisions.fields.list) {
      if (field.type === "content") types[field.name] = this.contentIsText ? "VARCHAR" : "JSON";
      else types[field.name] = field.type === "texts" ? "VARCHAR[]" : field.type === "object" ? "JSON" : "VARCHAR";
    }
    const seen = new Set(Object.keys(types));
    for (const name of [...this.others].sort()) {
      if (seen.has(name.toLowerCase())) throw sameName(name);
      seen.add(name.toLowerCase());
      types[name] = "JSON";
    }
    return types;
  }
}

function sameName(name: string): InputError {
  return new InputError(
    "parquet_columns",
    `export: the field "${name}" differs from another only in case, which Parquet readers cannot tell apart`,
    "Use --format jsonl or --format csv.",
  );
}

function duckError(cause: unknown, out: string): unknown {
  if (cause instanceof InputError || !(cause instanceof Error) || "code" in cause) return fileError(cause, out);
  const [reason] = cause.message.split("\n");
  return new EnvironmentError(
    "export_failed",
    `${out}: could not be written; ${reason}`,
    "Use --format jsonl or --format csv.",
  );
}
