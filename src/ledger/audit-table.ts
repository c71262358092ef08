import { existsSync } from "node:fs";
import { type Actions, MODERATION_ACTIONS } from "../domain/actions.js";
import { InputError } from "../errors.js";
import { sqlName, sqlString } from "./audit-columns.js";
import type { Duck } from "./duckdb.js";
import { loadJsonLines } from "./json-lines-table.js";
import type { AuditSource } from "./ledger.js";
import { cellExpression } from "./tallies.js";

/**
 * What the analysis reads of an audit: narrow columns, in the units of the format. Of `NUMBER_THERE` only whether there is a number:
 * parsing two more columns of a million rows would cost a tenth of a second.
 */
const COLUMNS: Record<string, "VARCHAR" | "DOUBLE" | "INTEGER" | "BOOLEAN" | "NUMBER_THERE"> = {
  decision_id: "VARCHAR",
  arm: "VARCHAR",
  replicate: "INTEGER",
  community: "VARCHAR",
  decision: "VARCHAR",
  human_label: "VARCHAR",
  outcome: "VARCHAR",
  level: "INTEGER",
  inverse: "BOOLEAN",
  level_map: "INTEGER",
  p_defensible: "DOUBLE",
  inverse_yes_prob: "DOUBLE",
  h_weight_bits: "NUMBER_THERE",
  h_citation_bits: "NUMBER_THERE",
  pds: "DOUBLE",
  citation_tokens: "INTEGER",
  language: "VARCHAR",
  "citation.scope": "VARCHAR",
  "citation.rule_id": "VARCHAR",
  "citation.grounded": "BOOLEAN",
  "inverse_citation.scope": "VARCHAR",
  "trace.precedent_weight": "VARCHAR",
  flags: "VARCHAR",
};

export const NARROW_COLUMNS = Object.keys(COLUMNS);

const REQUIRED = ["decision_id", "community", "decision", "level", "inverse"];

export interface AuditTable {
  db: Duck;
  actions: Actions;
  rows: number;
  /** Columns that the file has. */
  columns: ReadonlySet<string>;
}

export interface TableOptions {
  /** Default: remove and approve. Other actions in the file are an error. */
  actions?: Actions;
}

/**
 * Loads audits of any source as table `audits`: one row a key, values checked, actions coded. Foreign files need no more than
 * decision_id, community, decision, level and inverse.
 */
export async function openAuditTable(db: Duck, source: AuditSource, options: TableOptions = {}): Promise<AuditTable> {
  if (!existsSync(source.path)) {
    throw new InputError(
      "no_audits",
      `audits: no file ${source.path}`,
      "Check the path, or run `defensible audit` first.",
    );
  }
  const actions = options.actions ?? MODERATION_ACTIONS;
  let columns: ReadonlySet<string>;
  try {
    columns = await createTable(db, source, actions);
  } catch (cause) {
    throw readError(cause, source);
  }
  const rows = await checkRows(db, source, actions);
  return { db, rows, actions, columns };
}

/** Everything that makes a file unusable, found in one pass and told in detail only then. */
async function checkRows(db: Duck, source: AuditSource, actions: Actions): Promise<number> {
  const known = `(${sqlString(actions.positive)}, ${sqlString(actions.negative)})`;
  const [row] = await db.rows<{ n: number; empty: number; foreign: number }>(
    `SELECT count(*)::INTEGER AS n,
       (count(*) - count(*) FILTER (decision_id <> '' AND community <> '' AND decision <> ''))::INTEGER AS empty,
       count(*) FILTER (decision NOT IN ${known} OR human_label NOT IN ${known})::INTEGER AS foreign FROM audits`,
  );
  const { n = 0, empty = 0, foreign = 0 } = row ?? {};
  if (n === 0 && !source.own) {
    throw new InputError("empty_audits", `audits: ${source.path} has no rows`, "Write at least one audit into it.");
  }
  if (empty > 0) await refuseEmpty(db, source, empty);
  if (foreign > 0) await refuseForeignActions(db, source, actions);
  if (!source.own) await refuseRepeatedKeys(db, source);
  return n;
}

async function createTable(db: Duck, source: AuditSource, actions: Actions): Promise<ReadonlySet<string>> {
  if (source.format === "csv") {
    const types = await columnTypes(db, csvRelation(source, null), source);
    try {
      await fill(db, csvRelation(source, types), types, source, actions, true);
    } catch {
      // A number that is none somewhere: read everything as text, where such a value is NULL and its row unscored.
      await fill(db, csvRelation(source, null), types, source, actions);
    }
    return new Set(types.keys());
  }
  const relation =
    source.format === "jsonl"
      ? await loadJsonLines(db, source.path, NARROW_COLUMNS)
      : `read_parquet(${sqlString(source.path)}, hive_partitioning = false)`;
  const types = await columnTypes(db, relation, source);
  await fill(db, relation, types, source, actions);
  return source.format === "jsonl" && !source.own ? filledColumns(db) : new Set(types.keys());
}

/** A JSONL file has the columns that some row fills. */
async function filledColumns(db: Duck): Promise<ReadonlySet<string>> {
  const counts = NARROW_COLUMNS.map((name) => `count(${flat(name)})::INTEGER AS "${name}"`);
  const [row] = await db.rows<Record<string, number>>(`SELECT ${counts.join(", ")} FROM audits`);
  return new Set(NARROW_COLUMNS.filter((name) => (row?.[name] ?? 0) > 0));
}

/** Stores the columns there are, with each row's cell; the view `audits` adds the absent columns. */
async function fill(
  db: Duck,
  relation: string,
  types: Map<string, string>,
  source: AuditSource,
  actions: Actions,
  typed = false,
): Promise<void> {
  const present = NARROW_COLUMNS.filter((name) => types.has(name) || name in SETTLED);
  const newest =
    source.own && source.format === "jsonl"
      ? "QUALIFY row_number() OVER (PARTITION BY decision_id, arm, replicate ORDER BY line DESC) = 1"
      : "";
  const read = NARROW_COLUMNS.map((name) => `${columnValue(name, types, source, typed)} AS ${flat(name)}`);
  const settle = NARROW_COLUMNS.map((name) => `${SETTLED[name] ?? flat(name)} AS ${flat(name)}`);
  await db.run(
    `CREATE TABLE stored_audits AS
     SELECT ${present.map(flat).join(", ")}, (${cellExpression(actions)})::SMALLINT AS cell
     FROM (SELECT ${settle.join(", ")} FROM (SELECT ${read.join(", ")} FROM ${relation} ${newest}))`,
  );
  const absent = NARROW_COLUMNS.filter((name) => !present.includes(name));
  await db.run(
    `CREATE VIEW audits AS SELECT *${absent.map((name) => `, NULL::${sqlType(name)} AS ${flat(name)}`).join("")} FROM stored_audits`,
  );
}

/** Numbers are parsed as such right away, which saves a third of the time; `types` null reads everything as text. */
function csvRelation(source: AuditSource, types: Map<string, string> | null): string {
  const typed = types
    ? `types = {${[...types.keys()].map((name) => `${sqlString(name)}: '${csvType(name)}'`).join(", ")}}`
    : "all_varchar = true";
  return `read_csv(${sqlString(source.path)}, header = true, ${typed}, quote = '"', escape = '"', hive_partitioning = false)`;
}

function csvType(name: string): string {
  return COLUMNS[name] === "DOUBLE" || COLUMNS[name] === "INTEGER" ? COLUMNS[name] : "VARCHAR";
}

function sqlType(name: string): string {
  return COLUMNS[name] === "NUMBER_THERE" ? "BOOLEAN" : COLUMNS[name]!;
}

/** Struct fields stand under a flat name in the table. */
function flat(name: string): string {
  return name.replace(".", "_");
}

/** Column name -> SQL type, with the fields of structs as dotted names. */
async function columnTypes(db: Duck, relation: string, source: AuditSource): Promise<Map<string, string>> {
  const described = await db.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${relation}`);
  const types = new Map<string, string>();
  for (const { column_name: name, column_type: type } of described) {
    types.set(name, type);
    if (!type.startsWith("STRUCT(")) continue;
    for (const wanted of NARROW_COLUMNS) {
      const [head, field] = wanted.split(".");
      if (head === name && field && type.includes(field)) types.set(wanted, `${name}.${field}`);
    }
  }
  const missing = REQUIRED.filter((name) => !types.has(name));
  if (missing.length > 0) {
    const found = described.map(({ column_name }) => column_name).slice(0, 30);
    throw new InputError(
      "missing_columns",
      `audits: ${source.path} lacks ${missing.join(", ")}; got ${found.join(", ")}`,
      `Name the columns ${REQUIRED.join(", ")}; docs/formats.md lists the others.`,
    );
  }
  return types;
}

/** The value of a column in its type; what does not fit is NULL. `typed`: numbers have been read as numbers. */
function columnValue(name: string, types: Map<string, string>, source: AuditSource, typed: boolean): string {
  if (!types.has(name)) return `NULL::${sqlType(name)}`;
  const [head, field] = name.split(".");
  const column =
    field !== undefined && types.get(name) === name ? `${sqlName(head!)}.${sqlName(field)}` : sqlName(name);
  const number = typed ? column : `TRY_CAST(${column} AS DOUBLE)`;
  switch (COLUMNS[name]) {
    case "VARCHAR":
      return source.format === "csv" ? unguarded(column) : `${column}::VARCHAR`;
    case "BOOLEAN":
      return `CASE lower(${column}::VARCHAR) WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
        WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END`;
    case "NUMBER_THERE":
      // A digit, sign or point in front; NULL where there is none, so that a count of values is a count of numbers.
      return `CASE WHEN ascii(${column}::VARCHAR) BETWEEN 43 AND 57 THEN true END`;
    case "INTEGER":
      if (typed) return column;
      return `CASE WHEN ${number} = round(${number}) THEN TRY_CAST(${number} AS INTEGER) END`;
    default:
      return number;
  }
}

/** A foreign file may say nothing of arms, replicates and outcomes: then a row with both answers is a verdict. */
const SETTLED: Record<string, string> = {
  arm: "coalesce(arm, '')",
  replicate: "coalesce(replicate, 0)",
  outcome: `CASE WHEN outcome = 'error' THEN 'error'
    WHEN coalesce(outcome, 'verdict') = 'verdict' AND level BETWEEN 1 AND 3 AND inverse IS NOT NULL THEN 'verdict' ELSE 'unscored' END`,
};

/** Exported text cells carry a `'` before what a spreadsheet would take for a formula. */
function unguarded(text: string): string {
  return `CASE WHEN starts_with(${text}, '''') THEN regexp_replace(${text}, '^''(''*[=+\\-@\\t\\r])', '\\1') ELSE ${text} END`;
}

async function refuseRepeatedKeys(db: Duck, source: AuditSource): Promise<void> {
  const repeated = await db.rows<{ key: string; n: number }>(
    `SELECT decision_id || CASE WHEN arm = '' THEN '' ELSE ' arm ' || arm END
       || CASE WHEN replicate = 0 THEN '' ELSE ' replicate ' || replicate END AS key, count(*)::INTEGER AS n
     FROM audits GROUP BY decision_id, arm, replicate HAVING count(*) > 1 ORDER BY key LIMIT 5`,
  );
  if (repeated.length === 0) return;
  throw new InputError(
    "repeated_key",
    `audits: ${source.path} has audits with the same key: ${repeated.map(({ key, n }) => `${key} (${n}×)`).join(", ")}`,
    "Keep one row for each (decision_id, arm, replicate), or tell repeated audits apart in a `replicate` column.",
  );
}

async function refuseEmpty(db: Duck, source: AuditSource, rows: number): Promise<never> {
  const [row] = await db.rows<{ field: string }>(
    `SELECT CASE WHEN coalesce(decision_id, '') = '' THEN 'decision_id' WHEN coalesce(community, '') = '' THEN 'community'
       ELSE 'decision' END AS field
     FROM audits WHERE coalesce(decision_id, '') = '' OR coalesce(community, '') = '' OR coalesce(decision, '') = '' LIMIT 1`,
  );
  throw new InputError(
    "empty_field",
    `audits: ${source.path} has ${rows} row${rows === 1 ? "" : "s"} with an empty ${row?.field}`,
    "Fill decision_id, community and decision in every row.",
  );
}

async function refuseForeignActions(db: Duck, source: AuditSource, { positive, negative }: Actions): Promise<never> {
  const found = await db.rows<{ action: string }>(
    `SELECT DISTINCT action FROM (SELECT decision AS action FROM audits UNION ALL SELECT human_label FROM audits)
     WHERE action IS NOT NULL ORDER BY action LIMIT 6`,
  );
  throw new InputError(
    "unknown_actions",
    `audits: ${source.path} has the actions ${found.map(({ action }) => `"${action}"`).join(", ")}; expected "${positive}" and "${negative}"`,
    "Say which action restricts and which does not: --actions POSITIVE,NEGATIVE.",
  );
}

function readError(cause: unknown, source: AuditSource): unknown {
  if (cause instanceof InputError || !(cause instanceof Error)) return cause;
  const line = /on Line: (\d+)/i.exec(cause.message)?.[1];
  const first = cause.message.split("\n").find((text) => text.trim() && !/^Invalid Input Error|^CSV Error/i.test(text));
  return new InputError(
    "unreadable_audits",
    `audits: ${source.path}${line ? `, line ${line}` : ""}: cannot be read as ${source.format}: ${(first ?? cause.message).trim()}`,
    "Mend the file; docs/formats.md says what an audits file looks like.",
  );
}
