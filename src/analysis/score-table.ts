import type { DuckDBDataChunk } from "@duckdb/node-api";
import { deriveScores, type ScoreColumns } from "../measures/calibration/score-columns.js";
import { CELLS } from "../measures/metrics/tally.js";
import { sqlString } from "../store/files/duckdb.js";
import { type HeldOut, partOf } from "./audit-cells.js";
import { type MoreColumn, readCode } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";

/** Columns a table must have been opened with (`TableOptions.also`) before its scores are read. */
export const SCORE_COLUMNS = [
  "level_probs",
  "lambda_nats",
  "h_weight_bits",
  "h_citation_bits",
  "inverse_log_odds",
  "temperature",
] as const satisfies readonly MoreColumn[];

export interface ScoreOptions {
  /** Default "": the main rows. */
  arm?: string;
  /** Every row of the table, of any arm and replicate, with or without a verdict (level 0). */
  all?: boolean;
  /** Table (decision_id, level) of targets from another source; fills `targetLevel`. */
  targets?: string;
  /** Fills `heldOut`. */
  heldOut?: HeldOut;
  /** Fills `thread`; `thread_id` must have been loaded. */
  threads?: boolean;
}

/** SQL for each numeric column. Values missing from a file are derived from those it has. */
const NUMBERS = {
  p1: "level_probs[1]",
  p2: "level_probs[2]",
  p3: "level_probs[3]",
  lambdaNats: "lambda_nats",
  weightBits: "h_weight_bits",
  citationBits: "h_citation_bits",
  inverseLogOdds: "inverse_log_odds",
  inverseYesProb: "inverse_yes_prob",
  pds: "pds",
  pDefensible: "p_defensible",
  temperature: "temperature",
} as const;

type NumberColumn = keyof typeof NUMBERS;

/**
 * The verdicts of a table as columns, in the table's order. Values are copied out of DuckDB's vectors chunk by chunk, without creating row objects:
 * a million rows take a third of a second.
 */
export async function readScoreColumns(table: AuditTable, options: ScoreOptions = {}): Promise<ScoreColumns> {
  const rows = chosenRows(options);
  const communities = await countCommunities(table, rows);
  const columns = emptyColumns(
    communities.reduce((sum, { n }) => sum + n, 0),
    communities.map(({ community }) => community),
  );
  if (columns.n > 0) await fill(table, rows, columns, options);
  deriveScores(columns);
  return columns;
}

/** The decisions of these rows, in the same order. */
export async function readDecisionIds(table: AuditTable, options: ScoreOptions = {}): Promise<string[]> {
  const ids: string[] = [];
  const rows = table.db.stream<{ decision_id: string }>(`SELECT decision_id FROM audits WHERE ${chosenRows(options)}`);
  for await (const batch of rows) for (const { decision_id } of batch) ids.push(decision_id);
  return ids;
}

function chosenRows({ all, arm = "" }: ScoreOptions): string {
  return all ? "true" : `cell >= 0 AND arm = ${sqlString(arm)} AND replicate = 0`;
}

async function countCommunities(table: AuditTable, rows: string): Promise<{ community: string; n: number }[]> {
  return table.db.rows(`${communityCounts(rows)} ORDER BY community`);
}

function communityCounts(rows: string): string {
  return `SELECT community, count(*)::INTEGER AS n FROM audits WHERE ${rows} GROUP BY community`;
}

function emptyColumns(n: number, communities: readonly string[]): ScoreColumns {
  const numbers = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, new Float64Array(n)]));
  return {
    n,
    level: new Uint8Array(n),
    levelMap: new Uint8Array(n),
    inverse: new Uint8Array(n),
    positive: new Uint8Array(n),
    ...(numbers as Record<NumberColumn, Float64Array>),
    community: new Int32Array(n),
    communities,
  };
}

async function fill(table: AuditTable, rows: string, columns: ScoreColumns, options: ScoreOptions): Promise<void> {
  const { targets, heldOut } = options;
  const { db } = table;
  // As an enumeration, a name is looked up once and then read as its number. The values come from a query because a literal list could contain a
  // NUL, which ends a statement.
  await db.run("DROP TYPE IF EXISTS community_name");
  await db.run(
    `CREATE TYPE community_name AS ENUM (SELECT community FROM (${communityCounts(rows)}) ORDER BY community)`,
  );
  const names = await storedNumbers(table, columns);
  // NaN instead of NULL, so that the values can be copied directly from memory.
  const numbers = names.map((name) => `coalesce(${NUMBERS[name]}, 'NaN'::DOUBLE)`);
  const more = heldOut === undefined ? numbers : [...numbers, `${partOf(heldOut)}::INTEGER`];
  const result = await db.connection.stream(
    `SELECT row_id::INTEGER, cell::INTEGER, coalesce(level_map, 0)::INTEGER, enum_code(community::community_name)::INTEGER, ${more.join(", ")}
     FROM audits WHERE ${rows}`,
  );
  if (heldOut !== undefined) columns.heldOut = new Uint8Array(columns.n);
  const rowIds = new Int32Array(columns.n);
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    rowIds.set(integers(chunk, 0), at);
    readCells(integers(chunk, 1), columns, at);
    readLevelMaps(integers(chunk, 2), columns.levelMap, at);
    columns.community.set(integers(chunk, 3), at);
    for (let i = 0; i < names.length; i++) columns[names[i]!].set(doubles(chunk, i + 4), at);
    columns.heldOut?.set(integers(chunk, names.length + 4), at);
    at += chunk.rowCount;
  }
  if (targets) await readTargets(table, rows, targets, rowIds, columns);
  if (options.threads) columns.thread = await readThreads(table, rows, rowIds);
}

/** The thread of each row, known by its community and its name, as a number; −1: none. By row number, as targets are. */
export async function readThreads(table: AuditTable, rows: string, rowIds: Int32Array): Promise<Int32Array> {
  const result = await table.db.connection.stream(
    `SELECT row_id::INTEGER, dense_rank() OVER (ORDER BY community, thread_id)::INTEGER FROM audits WHERE (${rows}) AND thread_id IS NOT NULL`,
  );
  const byRow = new Int32Array(rowIds.reduce((most, row) => Math.max(most, row), -1) + 1).fill(-1);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const [ids, threads] = [integers(chunk, 0), integers(chunk, 1)];
    for (let i = 0; i < ids.length; i++) byRow[ids[i]!] = threads[i]!;
  }
  return rowIds.map((row) => byRow[row]!);
}

/** The columns that the table has; the others are NaN throughout and need not be read. */
async function storedNumbers({ db }: AuditTable, columns: ScoreColumns): Promise<NumberColumn[]> {
  const described = await db.rows<{ column_name: string }>("DESCRIBE stored_audits");
  const stored = new Set(described.map((column) => column.column_name));
  return (Object.keys(NUMBERS) as NumberColumn[]).filter((name) => {
    if (stored.has(NUMBERS[name].replace(/\[\d\]$/, ""))) return true;
    columns[name].fill(Number.NaN);
    return false;
  });
}

function readCells(cells: Int32Array, columns: ScoreColumns, at: number): void {
  for (let i = 0; i < cells.length; i++) {
    const cell = CELLS[cells[i]!];
    if (!cell) {
      // No verdict.
      columns.positive[at + i] = readCode(cells[i]!).positive ? 1 : 0;
      continue;
    }
    columns.level[at + i] = cell.level;
    columns.inverse[at + i] = cell.inverse ? 1 : 0;
    columns.positive[at + i] = cell.positive ? 1 : 0;
  }
}

function readLevelMaps(levels: Int32Array, into: Uint8Array, at: number): void {
  for (let i = 0; i < levels.length; i++) {
    const level = levels[i]!;
    into[at + i] = level >= 1 && level <= 3 ? level : 0;
  }
}

/** By row number, because a join would not keep the order of the rows. */
async function readTargets(
  table: AuditTable,
  rows: string,
  targets: string,
  rowIds: Int32Array,
  columns: ScoreColumns,
): Promise<void> {
  const described = await table.db.rows<{ column_name: string }>(`DESCRIBE ${targets}`);
  const weighted = described.some((column) => column.column_name === "weight");
  const size = (rowIds.at(-1) ?? -1) + 1;
  const byRow = new Uint8Array(size);
  const weights = new Float64Array(weighted ? size : 0);
  const result = await table.db.connection.stream(
    `SELECT a.row_id::INTEGER, t.level::INTEGER${weighted ? ", t.weight::DOUBLE" : ""} FROM audits a JOIN ${targets} t USING (decision_id)
     WHERE ${rows} AND t.level BETWEEN 1 AND 3`,
  );
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const ids = integers(chunk, 0);
    const levels = integers(chunk, 1);
    const own = weighted ? doubles(chunk, 2) : null;
    for (let i = 0; i < ids.length; i++) {
      byRow[ids[i]!] = levels[i]!;
      if (own) weights[ids[i]!] = own[i]!;
    }
  }
  columns.targetLevel = Uint8Array.from(rowIds, (row) => byRow[row]!);
  if (!weighted) return;
  const given = Float64Array.from(rowIds, (row) => weights[row]!);
  const total = given.reduce((sum, weight) => sum + weight, 0);
  const labelled = columns.targetLevel.reduce((sum, level) => sum + (level > 0 ? 1 : 0), 0);
  columns.targetWeight = given.map((weight) => (weight * labelled) / total);
}

/** The values of a column without NULLs, as a view of DuckDB's memory that is only valid as long as the chunk. */
export function integers(chunk: DuckDBDataChunk, column: number): Int32Array {
  return items(chunk, column, Int32Array);
}

export function doubles(chunk: DuckDBDataChunk, column: number): Float64Array {
  return items(chunk, column, Float64Array);
}

function items<T extends Int32Array | Float64Array>(
  chunk: DuckDBDataChunk,
  column: number,
  type: { new (length: number): T },
): T {
  const vector = chunk.getColumnVector(column);
  const { items } = vector as unknown as { items?: unknown };
  if (items instanceof type && items.length === chunk.rowCount) return items;
  // Fallback for versions of the engine that store them differently.
  const copy = new type(chunk.rowCount);
  for (let i = 0; i < copy.length; i++) copy[i] = vector.getItem(i) as number;
  return copy;
}
