import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { EnvironmentError } from "../../core/errors.js";
import { fileError, syncFile, syncFolder } from "../../io/files.js";
import { collectGarbage } from "../../io/limits.js";
import type { LineLog } from "../../io/line-log.js";
import type { RunIndex } from "../run-index.js";
import { columnsArgument, sqlString } from "./audit-columns.js";
import { withDuckDB } from "./duckdb.js";

/** Small groups keep the writer's memory small: 170 MB peak with 1024 rows, 185 with 4096. */
const ROW_GROUP = 1024;
/** DuckDB reserves a multiple of this for its reader. An audit holds no content, and its texts are cut, so a line is never near it. */
const MAX_LINE_BYTES = 2 << 20;

const MEMORY = "128MB";
/** Fewer audits leave less garbage behind than collecting it costs: a tenth of a second, as much as auditing a hundred decisions. */
const MANY = 2000;

/**
 * Writes the rows of a log, sorted by key, as Parquet: aside, synced, renamed.
 *
 * The sorting is done here and not by DuckDB: ORDER BY over whole rows peaked at 472 MB for 100,000 audits, and failed with a
 * limit of 200 MB; copying the lines in order and streaming them peaked at 192 MB and was faster (1.6 s against 2.7 s).
 */
export async function sealToParquet(log: LineLog, index: RunIndex, target: string): Promise<void> {
  await writeParquet(target, index.size, (sorted) => copySorted(log, index, sorted));
}

/** Writes so many audits as Parquet in the order of the lines that `copy` puts into a file. `columns`: default those of the format. */
export async function writeParquet(
  target: string,
  size: number,
  copy: (sorted: string) => void | Promise<void>,
  columns?: Record<string, string>,
): Promise<void> {
  const sorted = `${target}.sorted.tmp`;
  const aside = `${target}.tmp`;
  try {
    await copy(sorted);
    if (size >= MANY) collectGarbage();
    await withDuckDB(
      async (db) => {
        // Setting the limit also gives back to the system what the allocator keeps of the answers that were read.
        await db.run(`SET memory_limit = ${sqlString(MEMORY)}`);
        await db.run(
          `COPY (SELECT * FROM read_json(${sqlString(sorted)}, format = 'newline_delimited', columns = ${columnsArgument(columns)},
             maximum_object_size = ${MAX_LINE_BYTES}))
           TO ${sqlString(aside)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`,
        );
        const [row] = await db.rows<{ n: number }>(
          `SELECT count(*)::INTEGER AS n FROM read_parquet(${sqlString(aside)}, hive_partitioning = false)`,
        );
        if (row?.n !== size) {
          throw new EnvironmentError(
            "seal_incomplete",
            `${target}: sealing wrote ${row?.n} of ${size} audits; the run stays as it was`,
            "Repeat the command; if it happens again, please report it with the run's manifest.json.",
          );
        }
      },
      { threads: 1, memoryLimit: MEMORY },
    );
    syncFile(aside);
    renameSync(aside, target);
    syncFolder(dirname(target));
  } catch (cause) {
    throw sealError(cause, target);
  } finally {
    rmSync(sorted, { force: true });
    rmSync(aside, { force: true });
  }
}

function copySorted(log: LineLog, index: RunIndex, target: string): void {
  const file = openSync(target, "w");
  try {
    let buffer = Buffer.alloc(1 << 20);
    let used = 0;
    const flush = () => {
      for (let written = 0; written < used; ) written += writeSync(file, buffer, written, used - written);
      used = 0;
    };
    for (const { start, end } of index.sortedRanges()) {
      const length = end - start;
      if (used + length > buffer.length) flush();
      if (length > buffer.length) buffer = Buffer.alloc(length);
      log.read(start, length, buffer.subarray(used, used + length));
      used += length;
    }
    flush();
  } finally {
    closeSync(file);
  }
}

function sealError(cause: unknown, target: string): unknown {
  if (cause instanceof Error && /no space left/i.test(cause.message)) {
    return fileError(Object.assign(new Error(cause.message), { code: "ENOSPC" }), target);
  }
  return fileError(cause, target);
}
