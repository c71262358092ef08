import { FileProblem } from "../../io/files.js";
import { sqlName, sqlString } from "../files/audit-columns.js";
import { openDuckDB } from "../files/duckdb.js";
import type { RecordObject } from "../records/record-kinds.js";
import { contentFromText } from "./csv-table.js";
import { assign, parseDuckJson } from "./parse-json.js";

interface Column {
  column_name: string;
  column_type: string;
}

/** Rows of a Parquet file as objects, a batch at a time. Times are given in UTC. */
export async function* readParquet(path: string): AsyncGenerator<RecordObject[]> {
  const db = await openDuckDB({ threads: 1, memoryLimit: "2GB" });
  try {
    await db.run("SET TimeZone = 'UTC'");
    const source = `read_parquet(${sqlString(path)}, hive_partitioning = false)`;
    const columns = await db.rows<Column>(`DESCRIBE SELECT * FROM ${source}`);
    const cells = columns.map((column, index) => `${cell(column)} AS c${index}`);
    for await (const rows of db.stream<Record<string, string | null>>(`SELECT ${cells.join(", ")} FROM ${source}`)) {
      yield rows.map((row) => toObject(columns, row));
    }
  } catch (cause) {
    throw parquetProblem(cause, path);
  } finally {
    db.close();
  }
}

/** Text as it is, anything else as JSON: turning whole rows into JSON took more than 2 GB for a row group of 8,000 long posts. */
function cell({ column_name, column_type }: Column): string {
  const name = sqlName(column_name);
  // With a mark in front: the client takes a leading U+FEFF of text for a byte order mark, and drops it.
  if (column_type === "VARCHAR") return `'.' || ${name}`;
  // Older writers leave text without its mark, and it reads as bytes.
  return column_type === "BLOB" ? `'.' || TRY(decode(${name}))` : `to_json(${name})::VARCHAR`;
}

function toObject(columns: readonly Column[], cells: Record<string, string | null>): RecordObject {
  const row: RecordObject = {};
  columns.forEach(({ column_name, column_type }, index) => {
    const value = cells[`c${index}`];
    if (value === null || value === undefined) assign(row, column_name, null);
    else if (column_type !== "VARCHAR" && column_type !== "BLOB") assign(row, column_name, parseDuckJson(value));
    else assign(row, column_name, column_name === "content" ? contentFromText(value.slice(1)) : value.slice(1));
  });
  return row;
}

function parquetProblem(cause: unknown, path: string): unknown {
  // Errors of the system have a code, DuckDB's have none.
  if (!(cause instanceof Error) || "code" in cause) return cause;
  const [reason] = cause.message.split("\n");
  if (/^Out of Memory/.test(reason!)) {
    const remedy = "Write it with smaller row groups, or as JSONL.";
    return new FileProblem("large_parquet", `${path}: its row groups are too large to be read in 2 GB`, remedy);
  }
  return new FileProblem("bad_parquet", `${path}: not a readable Parquet file; ${reason}`, "Write the file again.");
}
