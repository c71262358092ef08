import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import { ISO_TIME } from "../../core/text-checks.js";

/**
 * The engine, loaded on first use so that `--help` does not pay for it. Loaded by `require`, because an import of this CommonJS package first scans
 * its sources for export names, which takes 60 ms.
 */
export function duckdb(): typeof import("@duckdb/node-api") {
  return createRequire(import.meta.url)("@duckdb/node-api");
}

interface DuckOptions {
  /** Default: DuckDB's own choice, all cores. */
  threads?: number;
  /** Default 1 GB. Above it DuckDB spills to a private temporary folder. */
  memoryLimit?: string;
  /** Keep rows in the order of the file. Default true; counting does not need the order and is faster without it. */
  ordered?: boolean;
}

/** An in-memory DuckDB for one task. It never installs extensions and never writes next to the data. */
export async function openDuckDB(options: DuckOptions = {}): Promise<Duck> {
  const { DuckDBInstance } = duckdb();
  // The default spill folder is `.tmp` in the working directory, which may be read-only.
  const spill = mkdtempSync(join(tmpdir(), "defensible-"));
  const config: Record<string, string> = {
    temp_directory: spill,
    memory_limit: options.memoryLimit ?? "1GB",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: String(options.ordered ?? true),
  };
  if (options.threads) config.threads = String(options.threads);
  const instance = await DuckDBInstance.create(":memory:", config);
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
    rmSync(spill, { recursive: true, force: true });
  };
  return new Duck(connection, close, () => instance.connect());
}

export async function withDuckDB<T>(work: (db: Duck) => Promise<T>, options: DuckOptions = {}): Promise<T> {
  const db = await openDuckDB(options);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** The version of the engine; fails if it cannot be used. */
export async function engineVersion(): Promise<string> {
  const [row] = await withDuckDB((db) => db.rows<{ v: string }>("SELECT version() AS v"));
  return row?.v ?? "";
}

export class Duck {
  constructor(
    readonly connection: DuckDBConnection,
    readonly close: () => void,
    private readonly connect: () => Promise<DuckDBConnection>,
  ) {}

  /** The same tables on a separate connection, for concurrent work. It must end before `close`. */
  async alongside<T>(work: (db: Duck) => Promise<T>): Promise<T> {
    const connection = await this.connect();
    try {
      return await work(new Duck(connection, () => connection.closeSync(), this.connect));
    } finally {
      connection.closeSync();
    }
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql);
  }

  async rows<Row>(sql: string): Promise<Row[]> {
    const result = await this.connection.run(sql);
    const names = result.deduplicatedColumnNames();
    if (!result.columnTypes().every(({ typeId }) => isPlain(typeId))) {
      return (await result.getRowObjectsJS()) as Row[];
    }
    return plainRows(await result.fetchAllChunks(), names) as Row[];
  }

  /** Rows as they are produced, chunk by chunk. */
  async *stream<Row>(sql: string): AsyncGenerator<Row[]> {
    const result = await this.connection.stream(sql);
    for await (const chunk of result.yieldRowObjectJs()) yield chunk as Row[];
  }
}

/** Whether values of a type are the same in SQL and JavaScript. */
function isPlain(typeId: number): boolean {
  const { DuckDBTypeId: type } = duckdb();
  return typeId === type.VARCHAR || typeId === type.HUGEINT || (typeId >= type.BOOLEAN && typeId <= type.DOUBLE);
}

/** Twice as fast as the library's own conversion, which checks the type of each value. */
function plainRows(chunks: readonly DuckDBDataChunk[], names: readonly string[]): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  for (const chunk of chunks) {
    const vectors = names.map((_, column) => chunk.getColumnVector(column));
    for (let r = 0, n = chunk.rowCount; r < n; r++) {
      const row: Record<string, unknown> = {};
      for (let c = 0; c < names.length; c++) row[names[c]!] = vectors[c]!.getItem(r);
      rows.push(row);
    }
  }
  return rows;
}

/** A text as an SQL literal. The engine reads a statement up to its first NUL, so NULs in the text are escaped. */
export function sqlString(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return quoted.includes("\0") ? `(${quoted.replaceAll("\0", "' || chr(0) || '")})` : quoted;
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const MIN_TIME = Date.UTC(1000, 0);

const MAX_TIME = Date.UTC(10_000, 0) - 1;

/** Times without a zone are UTC, so that a watch gives the same result on every machine. */
export const UTC = "SET TimeZone = 'UTC'";

/**
 * SQL for a time as milliseconds since 1970; NULL if it cannot be read. The second attempt is for times without seconds, which ISO 8601 allows and
 * DuckDB rejects. Other formats, such as `2026/10/02`, are not times, just as for effective dates of rules. Years with more than four digits, and
 * `infinity`, are not times of decisions.
 */
export function instant(column: string): string {
  const withSeconds = `regexp_replace(${column}, '^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(Z|[+-].*)?$', '\\1:00\\2')`;
  const ms = `epoch_ms(coalesce(TRY_CAST(${column} AS TIMESTAMPTZ), TRY_CAST(${withSeconds} AS TIMESTAMPTZ)))`;
  return `CASE WHEN regexp_matches(${column}, '${ISO_TIME.source}') AND ${ms} BETWEEN ${MIN_TIME} AND ${MAX_TIME} THEN ${ms} END`;
}
