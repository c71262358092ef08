import { isLongNumber } from "./parse-json.js";

/** What is wrong with a row, and where in it. `field` is a dotted path, or "" for the row as a whole. */
export class Fault {
  constructor(
    readonly field: string,
    readonly reason: string,
  ) {}
}

const MAX_DEPTH = 100;

/**
 * A value outside the format in one agreed form: keys sorted, null members left out, text well-formed. So the same row has the
 * same bytes whichever file it came from: Parquet gives every row all members of a struct, JSONL and CSV only those that are there.
 */
export function canonicalValue(value: unknown, path: string, depth = 0): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return canonicalNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return new Fault(path, `is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const canonical = canonicalValue(item, path, depth + 1);
      if (canonical instanceof Fault) return canonical;
      items.push(canonical ?? null);
    }
    return items;
  }
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const canonical = canonicalValue((value as Record<string, unknown>)[key], path, depth + 1);
    if (canonical instanceof Fault) return canonical;
    if (canonical !== undefined && canonical !== null) assign(result, key.toWellFormed(), canonical);
  }
  return result;
}

function canonicalNumber(value: number): number | string | null {
  if (!Number.isFinite(value)) return null;
  // As `parseJson` reads them.
  return Number.isInteger(value) && isLongNumber(String(value)) ? String(value) : value;
}

/** `target[key] = value` also for a key such as `__proto__`, which a plain assignment would take for the prototype. */
export function assign(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
