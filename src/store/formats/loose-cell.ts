import { isLongNumber, parseJson } from "./parse-json.js";

/**
 * Cells of columns that the format does not name. Text stands as it is; numbers, booleans, lists and objects as JSON; a text that
 * would be taken for one of those is written as a JSON string. Reading a written cell gives back the value, type and all.
 */
export function looseCell(value: unknown): unknown {
  if (typeof value === "string") return readLooseCell(value) === value ? value : JSON.stringify(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

export function readLooseCell(cell: string): unknown {
  if (!/^(?:[-\d[{"]|true$|false$)/.test(cell)) return cell;
  let value: unknown;
  try {
    value = parseJson(cell);
  } catch {
    return cell;
  }
  if (isLongNumber(cell)) return cell;
  // Not for 007 (no JSON) nor for 1.10 or a long id, which would come back changed.
  if (typeof value === "number") return String(value) === cell ? value : cell;
  if (typeof value === "string") return readLooseCell(value) === value ? cell : value;
  return value;
}
