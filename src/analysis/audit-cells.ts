import { sqlName, sqlString } from "../store/files/duckdb.js";
import { AUDIT_COLUMNS } from "../store/files/seal.js";
import { unguarded } from "./audit-select.js";

const TYPES: Record<string, string> = AUDIT_COLUMNS;

/** A column of the output: its name and the SQL for its value. */
interface TypedColumn {
  name: string;
  value: string;
}

/**
 * The columns of a CSV file of audits in the types of the format: numbers, booleans, lists, and objects from dotted columns. A cell that does not
 * fit its type is NULL; unknown columns remain text.
 */
export function typedColumns(names: readonly string[], table: string): TypedColumn[] {
  const columns: TypedColumn[] = [];
  const done = new Set<string>();
  for (const name of names) {
    const [head = "", field] = name.split(".");
    const fields = /^STRUCT\((.*)\)$/.exec(TYPES[head] ?? "")?.[1];
    if (field === undefined || !fields || names.includes(head)) {
      columns.push({ name, value: typedCell(`${table}.${sqlName(name)}`, TYPES[name] ?? "", name) });
      continue;
    }
    if (done.has(head)) continue;
    done.add(head);
    columns.push({ name: head, value: packed(head, structFields(fields), names, table) });
  }
  return columns;
}

/** Combines dotted columns into one object; NULL if all of them are empty. */
function packed(
  head: string,
  fields: readonly { name: string; type: string }[],
  names: readonly string[],
  table: string,
): string {
  const parts = fields
    .filter(({ name }) => names.includes(`${head}.${name}`))
    .map(({ name, type }) => ({ name, value: typedCell(`${table}.${sqlName(`${head}.${name}`)}`, type, name) }));
  const any = parts.map(({ value }) => `(${value}) IS NOT NULL`).join(" OR ");
  const members = parts.map(({ name, value }) => `${sqlName(name)} := ${value}`).join(", ");
  return `CASE WHEN ${any} THEN struct_pack(${members}) END`;
}

function typedCell(cell: string, type: string, name: string): string {
  const number = `TRY_CAST(${cell} AS DOUBLE)`;
  switch (type) {
    case "DOUBLE":
      return finiteNumber(number);
    case "INTEGER":
    case "TINYINT":
      // 2.5 is not an integer; a cast would make it 3.
      return `CASE WHEN ${number} = round(${number}) THEN TRY_CAST(${number} AS ${type}) END`;
    case "BOOLEAN":
      return `CASE lower(trim(${cell})) WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
        WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END`;
    case "DOUBLE[]":
      return `CASE WHEN isfinite(list_sum(TRY_CAST(${cell} AS DOUBLE[]))) THEN TRY_CAST(${cell} AS DOUBLE[]) END`;
    case "VARCHAR[]":
      return `CASE WHEN starts_with(trim(${cell}), '[') THEN TRY_CAST(TRY_CAST(${cell} AS JSON) AS VARCHAR[])
        ELSE list_filter(string_split_regex(coalesce(${cell}, ''), '[;,|\\s]+'), lambda word: word <> '') END`;
    case "JSON":
      return soundJson(cell);
    default:
      if (type.startsWith("STRUCT(")) return `TRY_CAST(${soundJson(cell)} AS ${type})`;
      // The main rows have an empty arm, which a CSV file cannot distinguish from a missing one.
      return name === "arm" ? `coalesce(${unguarded(cell)}, '')` : unguarded(cell);
  }
}

/** SQL for a value of a DuckDB type, with NULL for every number in it that JSON cannot represent (NaN, ±Infinity). */
export function finiteValue(value: string, type: string, depth = 0): string {
  if (type === "JSON") return soundJson(value);
  if (!/\b(DOUBLE|FLOAT|JSON)\b/.test(type)) return value;
  if (type === "DOUBLE" || type === "FLOAT") return finiteNumber(value);
  const item = /^(.*)\[\d*\]$/s.exec(type)?.[1];
  if (item !== undefined)
    return `list_transform(${value}, lambda v${depth}: ${finiteValue(`v${depth}`, item, depth + 1)})`;
  const fields = /^STRUCT\((.*)\)$/s.exec(type)?.[1];
  if (fields === undefined) return value;
  const parts = structFields(fields).map(
    ({ name, type: inner }) => `${sqlName(name)} := ${finiteValue(`${value}.${sqlName(name)}`, inner, depth + 1)}`,
  );
  return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${parts.join(", ")}) END`;
}

function finiteNumber(number: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

/** JSON text as JSON, or NULL if it is invalid: DuckDB accepts bare NaN and Infinity as JSON. */
function soundJson(text: string): string {
  const bare = `regexp_replace(${text}::VARCHAR, '"(\\\\.|[^"\\\\])*"', '', 'g')`;
  return `CASE WHEN NOT regexp_matches(${bare}, '(?i)nan|inf') THEN TRY_CAST(${text} AS JSON) END`;
}

/** The fields of `STRUCT(…)`. Names may be quoted, and types may be nested. */
export function structFields(list: string): { name: string; type: string }[] {
  const fields: { name: string; type: string }[] = [];
  let from = 0;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i <= list.length; i++) {
    const character = list[i];
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (depth === 0 && (character === "," || character === undefined)) {
      const match = /^\s*(?:"((?:[^"]|"")*)"|(\S+))\s+(.*)$/s.exec(list.slice(from, i));
      if (match) fields.push({ name: match[1]?.replaceAll('""', '"') ?? match[2]!, type: match[3]! });
      from = i + 1;
    }
  }
  return fields;
}

/** The rows used by analyses: no special arm, the first replicate. */
export const MAIN_ROWS = "arm = '' AND replicate = 0";

/** The same rows for an arm of an experiment; without an argument, those of no arm. */
export function rowsOfArm(arm = ""): string {
  return `arm = ${sqlString(arm)} AND replicate = 0`;
}

/** A part of the decisions; by thread if there are threads, so that no thread is on both sides. */
export interface HeldOut {
  seed: number;
  share: number;
  /** Whether whole threads are held out. */
  threads: boolean;
  /** Default `in`: the held-out part; `out`: the rest. */
  side?: "in" | "out";
}

/** The rows of that part; without an argument, all rows. */
export function partOf(part: HeldOut | undefined): string {
  if (part === undefined) return "true";
  const id = part.threads ? "coalesce(community || chr(31) || thread_id, decision_id)" : "decision_id";
  // md5 rather than hash(), whose function may change in the next version of the engine.
  const fraction = `(md5_number_lower(${sqlString(`${part.seed}:`)} || ${id}) // 2048)::DOUBLE / 9007199254740992`;
  return `(${fraction} ${part.side === "out" ? ">=" : "<"} ${part.share})`;
}
