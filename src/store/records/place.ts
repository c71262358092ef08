import { assign } from "../formats/canonical.js";
import { isObject } from "./fits.js";
import type { RecordObject } from "./record-kinds.js";

/** Puts a value into a nested object; false where something else is there already. */
export function place(row: RecordObject, path: readonly string[], value: unknown): boolean {
  let at = row;
  for (let i = 0; i < path.length - 1; i++) {
    const next = own(at, path[i]!);
    if (isObject(next)) at = next;
    else if (next === undefined || next === null) {
      const made: RecordObject = {};
      assign(at, path[i]!, made);
      at = made;
    } else return false;
  }
  const last = path.at(-1)!;
  const there = own(at, last);
  if (there !== undefined && there !== null) return false;
  assign(at, last, value);
  return true;
}

/** The value at a path, or undefined. */
export function lookUp(row: RecordObject, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

function own(object: RecordObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
