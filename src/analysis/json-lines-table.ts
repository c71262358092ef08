import { closeSync, openSync, readSync } from "node:fs";
import { InputError } from "../core/errors.js";
import { isObject } from "../core/text-checks.js";
import { readLines } from "../io/read-lines.js";
import { type Duck, duckdb, sqlString } from "../store/files/duckdb.js";

const BATCH = 2048;
const NONE: ReadonlySet<string> = new Set();

/**
 * Loads chosen fields of a JSONL file as text into a table (dotted names reach into objects) with the line number as `line`. A last line without a
 * newline is a row if it is complete JSON and is skipped if torn; any other line that is not an object is an error.
 * @param exceptObjects fields that are omitted if they are objects, because their members are fields themselves
 * @param problemOf what is wrong with a line that is an object, in a few words; null: nothing
 */
export async function loadJsonLines(
  db: Duck,
  path: string,
  fields: readonly string[],
  table = "json_lines",
  exceptObjects: ReadonlySet<string> = NONE,
  problemOf: (row: object, text: string) => string | null = () => null,
): Promise<string> {
  const into = await createTextTable(db, table, fields, exceptObjects);
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const row = parse(line.text);
      if (row === null) {
        if (!line.ended) continue;
        throw new InputError(
          "bad_line",
          `${path}, line ${line.number}: not a JSON object`,
          "Each line must be one JSON object; fix or remove this line.",
        );
      }
      const problem = problemOf(row, line.text);
      if (problem !== null) {
        throw new InputError("bad_line", `${path}, line ${line.number}: ${problem}`, "Fix or remove this line.");
      }
      into.add(row, line.number);
    }
  }
  into.close();
  return table;
}

/** The same for records in memory; `line` is the position in the list, from 1. */
export async function loadJsonRows(
  db: Duck,
  rows: readonly object[],
  fields: readonly string[],
  table = "json_lines",
): Promise<string> {
  const into = await createTextTable(db, table, fields, NONE);
  rows.forEach((row, i) => {
    if (!isObject(row)) {
      throw new InputError("bad_row", `row ${i}: not an object`, "Give a list of records, such as audits.");
    }
    into.add(row, i + 1);
  });
  into.close();
  return table;
}

/** A new table of texts, filled batch by batch. */
async function createTextTable(
  db: Duck,
  table: string,
  fields: readonly string[],
  exceptObjects: ReadonlySet<string>,
): Promise<{ add: (row: Record<string, unknown>, line: number) => void; close: () => void }> {
  const { DuckDBDataChunk, INTEGER, VARCHAR } = duckdb();
  const paths = fields.map((field) => field.split("."));
  await db.run(`CREATE TABLE ${table} (line INTEGER, ${fields.map((field) => `"${field}" VARCHAR`).join(", ")})`);
  const appender = await db.connection.createAppender(table);
  const types = [INTEGER, ...fields.map(() => VARCHAR)];
  let columns: (string | number | null)[][] = types.map(() => []);
  const flush = () => {
    const rows = columns[0]!.length;
    if (rows === 0) return;
    const chunk = DuckDBDataChunk.create(types, rows);
    columns.forEach((values, index) => {
      chunk.setColumnValues(index, values);
    });
    appender.appendDataChunk(chunk);
    columns = types.map(() => []);
  };
  return {
    add: (row, line) => {
      columns[0]!.push(line);
      paths.forEach((steps, index) => {
        const text = exceptObjects.has(fields[index]!) && isObject(row[fields[index]!]) ? null : asText(row, steps);
        columns[index + 1]!.push(text);
      });
      if (columns[0]!.length === BATCH) flush();
    },
    close: () => {
      flush();
      appender.closeSync();
    },
  };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function asText(row: Record<string, unknown>, steps: readonly string[]): string | null {
  let value: unknown = row;
  for (const step of steps) value = (value as Record<string, unknown> | null | undefined)?.[step];
  // A flat export has the dotted name itself as a key.
  if (value === undefined && steps.length > 1) value = row[steps.join(".")];
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
}

export interface CsvHeader {
  delimiter: string;
  names: string[];
}

const DELIMITERS = [",", ";", "\t", "|"];
const LONGEST_HEADER = 1 << 16;

/**
 * Separator and column names of a CSV file, from its first line: the separator is the one that gives the most names. DuckDB could detect it, but
 * reads 20,000 rows to do so, twice. An empty file has no names.
 */
export function readCsvHeader(path: string): CsvHeader {
  const buffer = Buffer.alloc(LONGEST_HEADER);
  const file = openSync(path, "r");
  const bytes = readSync(file, buffer, 0, LONGEST_HEADER, 0);
  closeSync(file);
  const text = buffer.toString("utf8", 0, bytes).replace(/^\ufeff/, "");
  const headers = DELIMITERS.map((delimiter) => ({ delimiter, names: firstRecord(text, delimiter) }));
  return headers.reduce((best, header) => (header.names.length > best.names.length ? header : best));
}

function firstRecord(text: string, delimiter: string): string[] {
  const names: string[] = [];
  let name = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '"') {
      if (quoted && text[i + 1] === '"') {
        name += '"';
        i++;
      } else quoted = !quoted;
    } else if (!quoted && character === delimiter) {
      names.push(name.trim());
      name = "";
    } else if (!quoted && (character === "\n" || character === "\r")) break;
    else name += character;
  }
  if (name !== "" || names.length > 0) names.push(name.trim());
  return names;
}

interface ParquetColumn {
  column_name: string;
  column_type: string;
}

/** A Parquet file as a relation, and its columns. A truncated or invalid file is an input error. */
export async function openParquet(db: Duck, path: string): Promise<{ relation: string; columns: ParquetColumn[] }> {
  const relation = `read_parquet(${sqlString(path)}, hive_partitioning = false)`;
  try {
    return { relation, columns: await db.rows<ParquetColumn>(`DESCRIBE SELECT * FROM ${relation}`) };
  } catch (cause) {
    if (!isFileFault(cause)) throw cause;
    const [reason] = cause.message.split("\n");
    throw new InputError(
      "bad_parquet",
      `${path}: not a readable Parquet file; ${reason}`,
      "Restore the file, or make it anew.",
    );
  }
}

/** Whether an error is about a file rather than a bug in the program: DuckDB's errors are plain ones, and system errors have a code. */
export function isFileFault(cause: unknown): cause is Error {
  return cause instanceof Error && (Object.getPrototypeOf(cause) === Error.prototype || "code" in cause);
}
