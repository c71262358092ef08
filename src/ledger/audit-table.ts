import { existsSync } from "node:fs";
import { type Actions, MODERATION_ACTIONS } from "../domain/actions.js";
import { InputError } from "../errors.js";
import { sqlName, sqlString } from "./audit-columns.js";
import type { Duck } from "./duckdb.js";
import { loadJsonLines } from "./json-lines-table.js";
import type { AuditSource } from "./ledger.js";

/** What the analysis reads of an audit: narrow columns, in the units of the format. */
const COLUMNS: Record<string, "VARCHAR" | "DOUBLE" | "INTEGER" | "BOOLEAN"> = {
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
  h_weight_bits: "DOUBLE",
  h_citation_bits: "DOUBLE",
  pds: "DOUBLE",
  citation_tokens: "INTEGER",
  language: "VARCHAR",
  "citation.scope": "VARCHAR",
  "citation.rule_id": "VARCHAR",
  "citation.grounded": "BOOLEAN",
  "trace.precedent_weight": "VARCHAR",
  flags: "VARCHAR",
};

export const NARROW_COLUMNS = Object.keys(COLUMNS);

const REQUIRED = ["decision_id", "community", "decision", "level", "inverse"];

export interface AuditTable {
  db: Duck;
  actions: Actions;
  rows: number;
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
    throw new InputError("no_audits", `audits: no file ${source.path}`, "Check the path, or run `defensible audit` first.");
  }
  const relation = source.format === "jsonl" ? await loadJsonLines(db, source.path, NARROW_COLUMNS) : fileRelation(source);
  try {
    const types = await columnTypes(db, relation, source);
    const newest = source.own && source.format === "jsonl";
    await db.run(
      `CREATE TABLE audits AS SELECT ${selectList(types, source.format === "csv")} FROM ${relation}${
        newest
          ? ` QUALIFY row_number() OVER (PARTITION BY decision_id, coalesce(arm, ''), replicate ORDER BY line DESC) = 1`
          : ""
      }`,
    );
  } catch (cause) {
    throw readError(cause, source);
  }
  const rows = (await db.rows<{ n: number }>("SELECT count(*)::INTEGER AS n FROM audits"))[0]?.n ?? 0;
  if (rows === 0 && !source.own) {
    throw new InputError("empty_audits", `audits: ${source.path} has no rows`, "Write at least one audit into it.");
  }
  if (!source.own) await refuseRepeatedKeys(db, source);
  await refuseMissing(db, source);
  return { db, rows, actions: await checkedActions(db, source, options.actions ?? MODERATION_ACTIONS) };
}

function fileRelation(source: AuditSource): string {
  const path = sqlString(source.path);
  return source.format === "parquet"
    ? `read_parquet(${path}, hive_partitioning = false)`
    : `read_csv(${path}, header = true, all_varchar = true, quote = '"', escape = '"', hive_partitioning = false)`;
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

function selectList(types: Map<string, string>, guarded: boolean): string {
  const value = (name: string): string => {
    const type = types.get(name);
    if (type === undefined) return `NULL::${COLUMNS[name]}`;
    const [head, field] = name.split(".");
    const inStruct = field !== undefined && type === name;
    const column = inStruct ? `${sqlName(head!)}.${sqlName(field)}` : sqlName(name);
    if (COLUMNS[name] === "VARCHAR") return guarded ? unguarded(column) : `${column}::VARCHAR`;
    if (COLUMNS[name] === "BOOLEAN") {
      return `CASE lower(trim(${column}::VARCHAR)) WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
        WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END`;
    }
    const number = `TRY_CAST(${column} AS DOUBLE)`;
    return COLUMNS[name] === "INTEGER" ? `CASE WHEN ${number} = round(${number}) THEN ${number}::INTEGER END` : number;
  };
  const level = value("level");
  const inverse = value("inverse");
  // A foreign file may say nothing of outcomes: then a row with both answers is a verdict.
  const outcome = `CASE WHEN ${value("outcome")} = 'error' THEN 'error'
    WHEN coalesce(${value("outcome")}, 'verdict') = 'verdict' AND ${level} BETWEEN 1 AND 3 AND ${inverse} IS NOT NULL THEN 'verdict'
    ELSE 'unscored' END`;
  const exceptions: Record<string, string> = {
    outcome,
    arm: `coalesce(${value("arm")}, '')`,
    replicate: `coalesce(${value("replicate")}, 0)`,
  };
  return NARROW_COLUMNS.map((name) => `${exceptions[name] ?? value(name)} AS ${name.replace(".", "_")}`).join(",\n");
}

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

async function refuseMissing(db: Duck, source: AuditSource): Promise<void> {
  const [row] = await db.rows<{ n: number; field: string }>(
    `SELECT count(*)::INTEGER AS n, min(CASE WHEN coalesce(decision_id, '') = '' THEN 'decision_id'
       WHEN coalesce(community, '') = '' THEN 'community' ELSE 'decision' END) AS field
     FROM audits WHERE coalesce(decision_id, '') = '' OR coalesce(community, '') = '' OR coalesce(decision, '') = ''`,
  );
  if (!row?.n) return;
  throw new InputError(
    "empty_field",
    `audits: ${source.path} has ${row.n} row${row.n === 1 ? "" : "s"} with an empty ${row.field}`,
    "Fill decision_id, community and decision in every row.",
  );
}

async function checkedActions(db: Duck, source: AuditSource, actions: Actions): Promise<Actions> {
  const found = await db.rows<{ action: string }>(
    `SELECT DISTINCT action FROM (SELECT decision AS action FROM audits UNION ALL SELECT human_label FROM audits)
     WHERE action IS NOT NULL ORDER BY action LIMIT 6`,
  );
  const { positive, negative } = actions;
  if (found.every(({ action }) => action === positive || action === negative)) return actions;
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
