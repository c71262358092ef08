import { isObject } from "../records/fits.js";
import type { Fields, RecordObject } from "../records/record-kinds.js";
import { looseCell } from "./parse-json.js";

/**
 * The members of a record under dotted names, in its own order; lists stay lists and null is left out.
 * @param fields of the format. With them, cells of members that the format does not name are written so that their type can be
 *   read back; without, every value stays as it is.
 */
export function flattenRecord(record: RecordObject, fields: Fields | null = null): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  walk(record, fields, [], fields !== null, cells);
  return cells;
}

function walk(
  object: RecordObject,
  fields: Fields | null,
  path: string[],
  typed: boolean,
  cells: Map<string, unknown>,
): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === null || value === undefined) continue;
    const field = fields?.byName.get(key) ?? null;
    const steps = [...path, key];
    if (isObject(value) && Object.keys(value).length > 0) walk(value, field?.fields ?? null, steps, typed, cells);
    else cells.set(columnName(steps), field || !typed ? value : looseCell(value));
  }
}

/** Every column of the format in its order. */
export function knownColumns(fields: Fields): string[] {
  return fields.list.flatMap((field) => [field.path, ...(field.fields ? knownColumns(field.fields) : [])]);
}

/**
 * Dotted column names: `content.body` is the member `body` of `content`. A dot or a backslash in a key itself is written with a
 * backslash before it, and an empty key as `\0`, so that every member of every record has a name of its own.
 */
export function columnName(path: readonly string[]): string {
  return path.map((key) => (key === "" ? "\\0" : key.replace(/[\\.]/g, "\\$&"))).join(".");
}

/** The path a column name represents. A name with an empty part (`No.`) is no one's path: it represents itself. */
export function columnPath(name: string): string[] {
  if (!name.includes(".") && !name.includes("\\")) return [name];
  const path: string[] = [];
  let key = "";
  let written = "";
  for (let i = 0; i <= name.length; i++) {
    const character = name[i];
    if (character === undefined || character === ".") {
      if (written === "") return [name];
      path.push(written === "\\0" ? "" : key);
      key = "";
      written = "";
      continue;
    }
    const escapes = character === "\\" && (name[i + 1] === "." || name[i + 1] === "\\");
    written += escapes ? character + name[i + 1] : character;
    key += escapes ? name[++i] : character;
  }
  return path;
}
