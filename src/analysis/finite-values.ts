import { sqlName } from "../store/files/audit-columns.js";

/** SQL for a value of a DuckDB type with NULL for every number in it that JSON cannot write (NaN, ±Infinity). */
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

export function finiteNumber(number: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

/** JSON text as JSON, or NULL where it is none: DuckDB takes bare NaN and Infinity for JSON. */
export function soundJson(text: string): string {
  const bare = `regexp_replace(${text}::VARCHAR, '"(\\\\.|[^"\\\\])*"', '', 'g')`;
  return `CASE WHEN NOT regexp_matches(${bare}, '(?i)nan|inf') THEN TRY_CAST(${text} AS JSON) END`;
}

/** The fields of `STRUCT(…)`: names may be quoted, types may have parts of their own. */
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
