import { isObject } from "../records/fits.js";
import type { Fields, RecordObject } from "../records/record-kinds.js";
import { columnName } from "./column-path.js";
import { looseCell } from "./loose-cell.js";

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
