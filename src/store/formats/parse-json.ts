/** Enough digits that a double may not hold them; a snowflake id has 17 to 19. */
const LONG_DIGITS = /\d{16}/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g;

/**
 * JSON.parse that keeps whole numbers too long for a double, as text: two ids that differ in their last digit would otherwise become one.
 * Throws SyntaxError as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(LONG_DIGITS.test(text) ? text.replace(TOKENS, quoted) : text);
}

/** A number of a JSON text that is beyond every double, as it is written there; null: nothing is there. */
export function hugeNumber(text: string): string | null {
  if (!/\d[eE]\+?\d{3}/.test(text)) return null;
  const isHuge = (token: string) => !token.startsWith('"') && Math.abs(Number(token)) === Number.POSITIVE_INFINITY;
  return text.match(TOKENS)?.find(isHuge) ?? null;
}

/** JSON as DuckDB writes it: NaN and infinities, which JSON does not have, are null. */
export function parseDuckJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return JSON.parse(text.replace(TOKENS, (token) => (/^(NaN|-?Infinity)$/.test(token) ? "null" : quoted(token))));
  }
}

function quoted(token: string): string {
  return isLongNumber(token) ? `"${token}"` : token;
}

/** Whether text is a whole number that a double does not hold for sure. */
function isLongNumber(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));
}

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

/**
 * Cells of columns that the format does not name. Text stays as it is; numbers, booleans, lists and objects as JSON; a text that
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

/** The objects of a text or of a value, each with its line or its place in the list. */
export function objectsIn(input: unknown): {
  objects: { value: Record<string, unknown>; line: number }[];
  wrong: { line: number; reason: string }[];
} {
  const objects: { value: Record<string, unknown>; line: number }[] = [];
  const wrong: { line: number; reason: string }[] = [];
  const take = (value: unknown, line: number) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      objects.push({ value: value as Record<string, unknown>, line });
    else wrong.push({ line, reason: "is not a JSON object" });
  };
  const takeAll = (value: unknown) => {
    if (Array.isArray(value)) for (const [i, one] of value.entries()) take(one, i + 1);
    else take(value, 1);
  };
  if (typeof input !== "string") takeAll(input);
  else {
    const text = input.replace(/^\uFEFF/, "");
    const whole = parsed(text);
    if (whole !== undefined) takeAll(whole);
    else
      for (const [i, line] of text.split(/\r?\n/).entries()) {
        const value = line.trim() === "" ? null : parsed(line);
        if (value === undefined) wrong.push({ line: i + 1, reason: "is not valid JSON" });
        else if (value !== null) take(value, i + 1);
      }
  }
  return { objects, wrong };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
