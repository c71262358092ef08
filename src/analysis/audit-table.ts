import { existsSync } from "node:fs";
import { InputError } from "../core/errors.js";
import { type Actions, actionNames, MODERATION_ACTIONS } from "../core/records/actions.js";
import { type Duck, instant, sqlString, UTC } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { MAIN_ROWS } from "./audit-cells.js";
import {
  type ColumnKinds,
  columnKinds,
  csvType,
  DERIVED,
  type MoreColumn,
  readList,
  storedList,
  viewList,
} from "./audit-select.js";
import { type CsvHeader, loadJsonLines, loadJsonRows, readCsvHeader } from "./json-lines-table.js";

/** Column name -> SQL type. A field of a struct has a dotted name, and that name as the type. */
type ColumnTypes = Map<string, string>;

const REQUIRED = ["decision_id", "community", "decision", "level", "inverse"];

export interface AuditTable {
  db: Duck;
  actions: Actions;
  rows: number;
  /** Whether this is a run of this program: it has every column, so a count of zero really means zero. */
  own: boolean;
  /** Whether the source has a column; missing ones are NULL in every row. */
  has: (column: string) => boolean;
}

export interface TableOptions {
  /** Default: remove and approve. Any other action in the file is an error. */
  actions?: Actions;
  /** Columns in addition to the usual ones; NULL if the file does not have them. */
  also?: readonly MoreColumn[];
  /** Whether all rows may be in arms, as in an experiment's file. Default false: a report needs rows outside arms. */
  anyArm?: boolean;
}

/** Audits in memory, read like a file of JSON lines in the order of a sealed run. */
export interface AuditRows {
  rows: readonly object[];
  /** The name of the list in messages. */
  path: string;
  format: "jsonl";
  own: false;
  older?: undefined;
  decided?: undefined;
}

/** The source of a list of audits. */
export function fromRows(rows: readonly object[]): AuditRows {
  return { rows, path: "the list", format: "jsonl", own: false };
}

/** A file of audits, or a list of them. */
export type AuditInput = AuditSource | AuditRows;

/**
 * Loads audits from any source as view `audits`: one row per key, with values checked and actions coded. Foreign files only need decision_id,
 * community, decision, level and inverse.
 */
export function openAuditTable(db: Duck, source: AuditInput, options: TableOptions = {}): Promise<AuditTable> {
  return withAuditTable(db, source, options, async (table) => table);
}

/**
 * The same, and the result of `work` on the audits. Repeated keys are searched for in parallel, which in a large file takes as long as counting.
 * The result is returned only if no key is repeated.
 */
export async function withAuditTable<T>(
  db: Duck,
  source: AuditInput,
  options: TableOptions,
  work: (table: AuditTable) => Promise<T>,
): Promise<T> {
  const { table, types } = await readAuditTable(db, source, options);
  if (source.own) return work(table);
  const [checked, made] = await Promise.allSettled([
    db.alongside((other) => refuseRepeatedKeys(other, source, types)),
    work(table),
  ]);
  if (checked.status === "rejected") throw checked.reason;
  if (made.status === "rejected") throw made.reason;
  return made.value;
}

/** Everything except the check for repeated keys. */
async function readAuditTable(
  db: Duck,
  source: AuditInput,
  options: TableOptions,
): Promise<{ table: AuditTable; types: ColumnTypes }> {
  if (!("rows" in source)) refuseMissingFile(source.path);
  const actions = options.actions ?? MODERATION_ACTIONS;
  const kinds = columnKinds(options.also);
  let types: ColumnTypes;
  try {
    types = await load(db, source, actions, kinds);
  } catch (cause) {
    throw readError(cause, source);
  }
  await db.run(`CREATE VIEW audits AS SELECT ${viewList(types, actions, kinds)} FROM stored_audits`);
  const rows = await checkRows(db, source, actions, types, options.anyArm ?? false);
  return { table: { db, rows, actions, own: source.own, has: (column) => types.has(column) }, types };
}

/** The order of rows in a sealed run, so that results that depend on it (ties in bins) are the same for the same audits. */
const SEALED_ORDER = "ORDER BY decision_id, arm, replicate";

async function load(db: Duck, source: AuditInput, actions: Actions, kinds: ColumnKinds): Promise<ColumnTypes> {
  if (source.format === "csv") return loadCsv(db, source, actions, kinds);
  const relation = source.format === "jsonl" ? await jsonRelation(db, source, kinds) : runsRelation(source);
  if (source.decided) await db.run(UTC);
  const types = await describeColumns(db, relation, kinds.keys());
  refuseMissingColumns(types, source);
  if (source.format === "jsonl" && !source.own) {
    const [given] = await db.rows<{ n: number }>(`SELECT count(p_defensible)::INTEGER AS n FROM ${relation}`);
    if (given?.n === 0) types.delete("p_defensible");
  }
  deriveDefensible(types, source);
  // In a run that is still being written, a later row of a key replaces an earlier one.
  const newest =
    source.own && source.format === "jsonl"
      ? `QUALIFY row_number() OVER (PARTITION BY decision_id, arm, replicate ORDER BY line DESC) = 1 ${SEALED_ORDER}`
      : "rows" in source
        ? SEALED_ORDER
        : newestOfRuns(source);
  await store(
    db,
    `SELECT ${readList({ kinds, types, guarded: false, typed: false })} FROM ${relation} ${newest}`,
    storedList(types, actions, kinds),
  );
  return types;
}

function jsonRelation(db: Duck, source: AuditInput, kinds: ColumnKinds): Promise<string> {
  const fields = source.own ? [...kinds.keys()] : [...new Set([...kinds.keys(), "level_probs"])];
  return "rows" in source ? loadJsonRows(db, source.rows, fields) : loadJsonLines(db, source.path, fields);
}

function runsRelation({ path, older }: AuditSource): string {
  if (!older) return parquetRelation(path);
  return `read_parquet(${fileList(path, older)}, hive_partitioning = false, union_by_name = true, filename = true)`;
}

/** SQL for the newest row of each key over several runs, limited to the requested time. */
function newestOfRuns({ path, older, decided }: AuditSource): string {
  if (!older) return "";
  const place = `list_position(${fileList(path, older)}, filename)`;
  const newest = `QUALIFY row_number() OVER (PARTITION BY decision_id, arm, replicate ORDER BY ${place}) = 1`;
  return `${newest}${decided ? ` AND ${instant("decided_at")} BETWEEN ${decided.from} AND ${decided.to}` : ""} ORDER BY decision_id, arm, replicate`;
}

function fileList(path: string, older: readonly string[]): string {
  return `[${[path, ...older].map(sqlString).join(", ")}]`;
}

/** A quarter of DuckDB's default: it fits the cache better and is a tenth faster. */
const CSV_BUFFER = 8 << 20;

async function loadCsv(db: Duck, source: AuditSource, actions: Actions, kinds: ColumnKinds): Promise<ColumnTypes> {
  const header = readCsvHeader(source.path);
  const types: ColumnTypes = new Map(header.names.map((name) => [name, "VARCHAR"]));
  refuseMissingColumns(types, source);
  deriveDefensible(types, source);
  // Parsing numbers as numbers right away saves a third of the time.
  const select = (typed: boolean) => {
    const relation = csvRelation(source.path, header, (name) => (typed ? csvType(name, kinds) : "VARCHAR"), CSV_BUFFER);
    return `SELECT ${readList({ kinds, types, guarded: true, typed })} FROM ${relation}`;
  };
  const stored = storedList(types, actions, kinds);
  try {
    await store(db, select(true), stored);
  } catch {
    // A numeric column contains something else: read everything as text, so that such a value is NULL and its row unscored.
    await store(db, select(false), stored);
  }
  return types;
}

async function store(db: Duck, select: string, stored: string): Promise<void> {
  await db.run(`CREATE OR REPLACE VIEW read_audits AS ${select}`);
  await db.run(`CREATE TABLE stored_audits AS SELECT ${stored} FROM read_audits`);
}

/** A file of another tool may give the levels' probabilities but not the values derived from them. */
function deriveDefensible(types: ColumnTypes, { own }: AuditInput): void {
  if (!own && types.has("level_probs") && !types.has("p_defensible")) types.set("p_defensible", DERIVED);
}

/** Finds everything that makes a file unusable in one pass, and collects details only if there is a problem. */
async function checkRows(
  db: Duck,
  source: AuditInput,
  actions: Actions,
  types: ColumnTypes,
  anyArm: boolean,
): Promise<number> {
  const [row] = await db.rows<{ n: number; counted: number }>(
    "SELECT count(*)::INTEGER AS n, count(cell)::INTEGER AS counted FROM stored_audits",
  );
  const { n = 0, counted = 0 } = row ?? {};
  if (n === 0 && !source.own) {
    throw new InputError("empty_audits", `audits: ${source.path} has no rows`, "Write at least one audit into it.");
  }
  if (counted < n) await refuseRows(db, source, actions);
  if (!source.own && !anyArm && (types.has("arm") || types.has("replicate"))) await refuseOnlyArms(db, source);
  return n;
}

async function refuseRows(db: Duck, source: AuditInput, actions: Actions): Promise<never> {
  for (const field of ["decision_id", "community", "decision"]) {
    const [row] = await db.rows<{ n: number }>(
      `SELECT count(*)::INTEGER AS n FROM read_audits WHERE coalesce(${field}, '') = ''`,
    );
    if (!row?.n) continue;
    throw new InputError(
      "empty_field",
      `audits: ${source.path} has ${row.n} row${row.n === 1 ? "" : "s"} with an empty ${field}`,
      "Fill decision_id, community and decision in every row.",
    );
  }
  const found = await db.rows<{ action: string }>(
    `SELECT DISTINCT action FROM (SELECT decision AS action FROM read_audits UNION ALL SELECT human_label FROM read_audits)
     WHERE action IS NOT NULL ORDER BY action LIMIT 6`,
  );
  throw new InputError(
    "unknown_actions",
    `audits: ${source.path} has the actions ${found.map(({ action }) => `"${action}"`).join(", ")}; expected ${actionNames(
      actions,
    )
      .map((name) => `"${name}"`)
      .join(" and ")}`,
    "Say which action restricts and which does not: --actions POSITIVE,NEGATIVE; or name more, mildest first: --actions allow,label,remove.",
  );
}

async function refuseOnlyArms(db: Duck, source: AuditInput): Promise<void> {
  const [row] = await db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS}`);
  if (row?.n) return;
  throw new InputError(
    "only_arms",
    `audits: no row of ${source.path} has an empty arm and replicate 0, which is what a report is about`,
    "Leave out the columns arm and replicate, or fill them so that each decision has one such row.",
  );
}

async function refuseRepeatedKeys(db: Duck, source: AuditInput, types: ColumnTypes): Promise<void> {
  const keys = ["decision_id", "arm", "replicate"].filter((name) => types.has(name));
  // Sorted hashes show in half the time that no key is repeated; equal ones may also be a collision.
  const [same] = await db.rows<{ n: number }>(
    `SELECT count(*)::INTEGER AS n FROM
       (SELECT hashed, lag(hashed) OVER (ORDER BY hashed) AS before FROM (SELECT hash(${keys.join(", ")}) AS hashed FROM stored_audits))
     WHERE hashed = before`,
  );
  if (same?.n === 0) return;
  const repeated = await repeatedKeys(db, "stored_audits", keys, source);
  if (repeated) throw repeated;
}

/** `bufferBytes`: default 32 MiB, DuckDB's own. */
export function csvRelation(
  path: string,
  { delimiter, names }: CsvHeader,
  typeOf: (name: string) => string = () => "VARCHAR",
  bufferBytes?: number,
): string {
  const columns = names.map((name) => `${sqlString(name)}: '${typeOf(name)}'`);
  const buffer = bufferBytes === undefined ? "" : `buffer_size = ${bufferBytes}, `;
  return `read_csv(${sqlString(path)}, auto_detect = false, header = true, delim = ${sqlString(delimiter)}, quote = '"', escape = '"',
    columns = {${columns.join(", ")}}, ${buffer}hive_partitioning = false)`;
}

export function parquetRelation(path: string): string {
  return `read_parquet(${sqlString(path)}, hive_partitioning = false)`;
}

/** The columns of a relation, with the fields of structs that are in `wanted`. `nameOf`: maps a column to its name. */
export async function describeColumns(
  db: Duck,
  relation: string,
  wanted: Iterable<string>,
  nameOf = (name: string) => name,
): Promise<ColumnTypes> {
  const rows = await db.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${relation}`);
  const columns = rows.map(({ column_name, column_type }) => [nameOf(column_name), column_type] as const);
  const types: ColumnTypes = new Map(columns);
  for (const name of wanted) {
    const [head, field] = name.split(".");
    const struct = types.get(head!);
    if (field && struct?.startsWith("STRUCT(") && new RegExp(`\\b${field}\\b`, "i").test(struct)) types.set(name, name);
  }
  return types;
}

export function refuseMissingFile(path: string): void {
  if (existsSync(path)) return;
  throw new InputError("no_audits", `audits: no file ${path}`, "Check the path, or run `defensible audit` first.");
}

export function refuseMissingColumns(types: ReadonlyMap<string, string>, { path }: AuditInput): void {
  const missing = REQUIRED.filter((name) => !types.has(name));
  if (missing.length === 0) return;
  const found = [...types.keys()].slice(0, 30).join(", ");
  throw new InputError(
    "missing_columns",
    `audits: ${path} lacks ${missing.join(", ")}; got ${found || "an empty file"}`,
    `Name the columns ${REQUIRED.join(", ")}; docs/formats.md lists the others.`,
  );
}

/** An error about the first rows of a table that share a key; null if absent. */
export async function repeatedKeys(
  db: Duck,
  table: string,
  keys: readonly string[],
  { path }: AuditInput,
): Promise<InputError | null> {
  const repeated = await db.rows<{ decision_id: string; arm?: string; replicate?: number; n: number }>(
    `SELECT ${keys.join(", ")}, count(*)::INTEGER AS n FROM ${table} GROUP BY ${keys.join(", ")} HAVING count(*) > 1
     ORDER BY ALL LIMIT 5`,
  );
  if (repeated.length === 0) return null;
  const names = repeated.map(
    ({ decision_id, arm, replicate, n }) =>
      `${decision_id}${arm ? ` arm ${arm}` : ""}${replicate ? ` replicate ${replicate}` : ""} (${n}×)`,
  );
  return new InputError(
    "repeated_key",
    `audits: ${path} has audits with the same key: ${names.join(", ")}`,
    "Keep one row for each (decision_id, arm, replicate), or tell repeated audits apart in a `replicate` column.",
  );
}

/** DuckDB's error about a file that it cannot read, as an input error. */
export function readError(cause: unknown, { path, format }: AuditInput): unknown {
  if (cause instanceof InputError || !(cause instanceof Error)) return cause;
  const line = /on Line: (\d+)/i.exec(cause.message)?.[1];
  const said = cause.message
    .split("\n")
    .map((text) => text.replace(/^(?:Invalid Input |IO |Binder |Conversion )?Error: /i, "").trim())
    .filter((text) => text && !/^CSV Error|^Original Line|^LINE \d|^\^/i.test(text));
  return new InputError(
    "unreadable_audits",
    `audits: ${path}${line ? `, line ${line}` : ""}: cannot be read as ${format}: ${said[0] ?? cause.message}`,
    "Fix the file; docs/formats.md says what an audits file looks like.",
  );
}
