import { sqlName, sqlString } from "../ledger/audit-columns.js";
import { openDuckDB } from "../ledger/duckdb.js";
import { contentFromText } from "./csv-table.js";
import { FileProblem } from "./file-problem.js";
import { parseDuckJson } from "./parse-json.js";
import type { RecordObject } from "./record-kinds.js";

/** Rows of a Parquet file as objects, a batch at a time. Times are given in UTC. */
export async function* readParquet(path: string): AsyncGenerator<RecordObject[]> {
  // 256 MB read a million short posts, but not a row group of 8,000 long ones.
  const db = await openDuckDB({ threads: 1, memoryLimit: "2GB" });
  try {
    await db.run("SET TimeZone = 'UTC'");
    const source = `read_parquet(${sqlString(path)}, hive_partitioning = false)`;
    const columns = await db.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${source}`);
    // Older writers leave text without its mark, and it reads as bytes.
    const bytes = columns
      .filter((column) => column.column_type === "BLOB")
      .map(({ column_name: name }) => `TRY(decode(${sqlName(name)})) AS ${sqlName(name)}`);
    const replace = bytes.length ? ` REPLACE (${bytes.join(", ")})` : "";
    const textContent = columns.some((column) => column.column_name === "content" && column.column_type !== "JSON");
    // An alias that is also the name of a column would stand for the column.
    const sql = `SELECT to_json(row_of_file)::VARCHAR AS json FROM (SELECT *${replace} FROM ${source}) AS row_of_file`;
    for await (const rows of db.stream<{ json: string }>(sql)) {
      yield rows.map(({ json }) => {
        const row = parseDuckJson(json) as RecordObject;
        if (textContent && typeof row.content === "string") row.content = contentFromText(row.content);
        return row;
      });
    }
  } catch (cause) {
    throw parquetProblem(cause, path);
  } finally {
    db.close();
  }
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
