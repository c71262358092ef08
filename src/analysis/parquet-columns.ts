import { InputError } from "../core/errors.js";
import { sqlString } from "../store/files/audit-columns.js";
import type { Duck } from "../store/files/duckdb.js";

export interface ParquetColumn {
  column_name: string;
  column_type: string;
}

/** A Parquet file as a relation, and its columns. One that was cut or is none is the user's to mend. */
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

/** Whether an error tells of a file and not of a mistake in the program: DuckDB's errors are plain ones, the system's have a code. */
export function isFileFault(cause: unknown): cause is Error {
  return cause instanceof Error && (Object.getPrototypeOf(cause) === Error.prototype || "code" in cause);
}
