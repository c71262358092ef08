import { BOOLEANS } from "../core/names.js";
import { hasDoubledKeys, hasLookAlikeKeys } from "../measures/gate/route/unsafe-keys.js";
import { type Duck, duckdb, openDuckDB, sqlName } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { unguarded } from "./audit-select.js";
import {
  csvRelation,
  describeColumns,
  parquetRelation,
  readError,
  refuseMissingColumns,
  refuseMissingFile,
  repeatedKeys,
} from "./audit-table.js";
import { loadJsonLines, readCsvHeader } from "./json-lines-table.js";

type Kind = "text" | "number" | "boolean" | "json";

/** The fields of an audit that routing reads, with their kinds. */
const FIELDS: Readonly<Record<string, Kind>> = {
  decision_id: "text",
  community: "text",
  decision: "text",
  level: "number",
  inverse: "boolean",
  arm: "text",
  replicate: "number",
  outcome: "text",
  auditor: "text",
  auditor_version: "text",
  prompt_version: "text",
  template: "text",
  ruleset_version: "text",
  tier: "text",
  signal: "text",
  missing: "text",
  language: "text",
  level_probs: "json",
  level_map: "number",
  lambda_nats: "number",
  h_weight_bits: "number",
  h_citation_bits: "number",
  inverse_log_odds: "number",
  inverse_yes_prob: "number",
  p_defensible: "number",
  flags: "json",
  "citation.scope": "text",
  "citation.rule_id": "text",
  "inverse_citation.scope": "text",
  "inverse_citation.rule_id": "text",
  "trace.policy_citation": "text",
  "trace.inverse_citation": "text",
  "read.content": "text",
  "read.rules": "text",
  "read.precedents": "text",
};
const NAMES = Object.keys(FIELDS);
/** Objects that another tool may write as text: as JSON, or as a rule's name. */
const HEADS = ["citation", "inverse_citation", "trace", "read"];

export interface AuditLookup {
  /** The audits of the given decisions, by decision id. Decisions without an audit are absent. */
  find: (ids: readonly string[]) => Promise<Map<string, unknown>>;
  close: () => void;
}

/** Opens the audits of a file or a run for lookup. They stay in the database, which spills to disk if they are many; only one batch is held here. */
export async function openAuditLookup(source: AuditSource): Promise<AuditLookup> {
  refuseMissingFile(source.path);
  const db = await openDuckDB();
  try {
    await load(db, source);
    const repeated = source.own ? null : await repeatedKeys(db, "route_audits", ["decision_id"], source);
    if (repeated) throw repeated;
  } catch (cause) {
    db.close();
    throw readError(cause, source);
  }
  return { find: (ids) => find(db, ids), close: () => db.close() };
}

async function find(db: Duck, ids: readonly string[]): Promise<Map<string, unknown>> {
  const audits = new Map<string, unknown>();
  if (ids.length === 0) return audits;
  const { LIST, VARCHAR, listValue } = duckdb();
  const reader = await db.connection.runAndReadAll(
    "SELECT * FROM route_audits WHERE decision_id IN (SELECT unnest($1))",
    [listValue([...ids])],
    [LIST(VARCHAR)],
  );
  for (const row of reader.getRows() as (string | null)[][]) audits.set(row[0]!, auditOf(row));
  return audits;
}

async function load(db: Duck, source: AuditSource): Promise<void> {
  const { relation, types, guarded } = await relationOf(db, source);
  refuseMissingColumns(types, source);
  const list = NAMES.map((name) => `${column(name, types, guarded)} AS ${sqlName(name)}`).join(", ");
  // In a run that is still being written, a later row of a key replaces an earlier one.
  const newest =
    source.own && source.format === "jsonl"
      ? "QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1"
      : "";
  await db.run(
    `CREATE TABLE route_audits AS SELECT ${list} FROM ${relation}
     WHERE coalesce(${column("arm", types, false)}, '') = '' AND coalesce(TRY_CAST(${column("replicate", types, false)} AS INTEGER), 0) = 0 ${newest}`,
  );
  await db.run("DROP TABLE IF EXISTS json_lines");
}

interface Relation {
  relation: string;
  /** Column types by name in lower case, because SQL ignores case (`Flags` are flags). Fields of structs have dotted names. */
  types: ReadonlyMap<string, string>;
  /** Whether text cells may carry the guard against spreadsheet formulas. */
  guarded: boolean;
}

async function relationOf(db: Duck, { path, format, own }: AuditSource): Promise<Relation> {
  if (format === "jsonl") {
    const names = [...NAMES, ...HEADS];
    const relation = await loadJsonLines(db, path, names, "json_lines", new Set(HEADS), own ? undefined : ambiguity);
    return { relation, types: new Map(names.map((name) => [name, "VARCHAR"])), guarded: false };
  }
  if (format === "csv") {
    const header = readCsvHeader(path);
    const types = new Map(header.names.map((name) => [name.toLowerCase(), "VARCHAR"]));
    return { relation: csvRelation(path, header), types, guarded: true };
  }
  const relation = parquetRelation(path);
  const types = await describeColumns(db, relation, NAMES, (name) => name.toLowerCase());
  return { relation, types, guarded: false };
}

/** Why a line of another tool is ambiguous; null if it is not. */
function ambiguity(audit: object, text: string): string | null {
  if (hasDoubledKeys(text, audit)) return "a key occurs twice in one object";
  return hasLookAlikeKeys({}, audit) ? "a key differs from a known one only in case or punctuation" : null;
}

/** SQL for a column as text; NULL if the file has no such column. */
function column(name: string, types: ReadonlyMap<string, string>, guarded: boolean): string {
  const [head, field] = name.split(".");
  const headType = field === undefined ? undefined : types.get(head!);
  if (headType === undefined || headType.startsWith("STRUCT(")) return ownColumn(name, types, guarded);
  return `coalesce(${ownColumn(name, types, guarded)}, ${member(ownColumn(head!, types, guarded), field!)})`;
}

function ownColumn(name: string, types: ReadonlyMap<string, string>, guarded: boolean): string {
  const type = types.get(name);
  if (type === undefined) return "NULL::VARCHAR";
  const [head, field] = name.split(".");
  if (field !== undefined && type === name) return `${sqlName(head!)}.${sqlName(field!)}::VARCHAR`;
  const text = sqlName(name);
  if (type.endsWith("[]") || type.startsWith("MAP(")) return `to_json(${text})::VARCHAR`;
  if (!guarded || FIELDS[name] !== "text") return `${text}::VARCHAR`;
  return unguarded(text);
}

/**
 * A member of an object written as JSON. A text that is not an object replaces each of its members: as the text of a trace it is read like a
 * citation, and as the scope of a citation it makes the audit malformed. It must not be ignored, because it may name a rule.
 */
function member(text: string, field: string): string {
  const json = `TRY_CAST(${text} AS JSON)`;
  return `CASE WHEN trim(${text}) = '' OR json_type(${json}) = 'NULL' THEN NULL WHEN json_type(${json}) = 'OBJECT' THEN json_extract_string(${json}, '$.${field}') ELSE ${text} END`;
}

/** A row of text as an audit. A value of the wrong kind is kept, and routing reports the audit as malformed. */
function auditOf(row: readonly (string | null)[]): Record<string, unknown> {
  const audit: Record<string, unknown> = {};
  for (let i = 0; i < NAMES.length; i++) {
    const text = row[i];
    if (text === null || text === undefined) continue;
    const name = NAMES[i]!;
    const value = typed(text, FIELDS[name]!);
    const dot = name.indexOf(".");
    if (dot < 0) audit[name] = value;
    else {
      const head = name.slice(0, dot);
      audit[head] = { ...(audit[head] as object | undefined), [name.slice(dot + 1)]: value };
    }
  }
  return audit;
}

function typed(text: string, kind: Kind): unknown {
  switch (kind) {
    case "text":
      return text;
    case "number":
      if (text === "inf" || text === "-inf")
        return text === "inf" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      return text.trim() === "" ? null : Number(text);
    case "boolean":
      return BOOLEANS.get(text.toLowerCase()) ?? text;
    case "json":
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
  }
}
