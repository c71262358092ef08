/** A JSON value; null if the text is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The order of code units, independent of the machine's locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a text is one JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

export const TIME_EXAMPLE = "a time such as 2026-11-15T04:00:00Z";

/** Whether a text is an existing calendar date, or a time, in ISO 8601. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)) && isDay(value);
}

/** Whether the calendar has the day. `Date.parse` reads 30 February as 2 March. */
function isDay(time: string): boolean {
  return new Date(`${time.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) === time.slice(0, 10);
}

/** A share as people write it: `0.05`, `5%` or `5 %`. NaN: it is not one. */
export function parseShare(text: string): number {
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%?)$/i.exec(text.trim());
  if (!found) return Number.NaN;
  // Shifts the decimal point in the digits, because 0.9 / 100 is not exactly 0.009.
  const value = Number(found[1]);
  return found[2] ? (/e/i.test(found[1]!) ? value / 100 : Number(`${found[1]}e-2`)) : value;
}

/** "90%" for a minimum share written as `0.9%`, because less than 1 percent is rarely intended. Null: the value is plausible. */
export function meantPercent(text: string): string | null {
  const value = parseShare(text);
  return text.trim().endsWith("%") && value > 0 && value < 0.01 ? `${Number((value * 1e4).toPrecision(12))}%` : null;
}

/** Longest text, and largest number of names, compared letter by letter. */
const MOST_LETTERS = 80;
const MOST_NAMES = 5000;

/**
 * The name that was probably meant: one that only differs in case, accents and punctuation, otherwise one that is a few letters away; null: no name
 * is close.
 *
 * @example
 * nearestName("marketplace", ["General", "Marketplace"]) // => "Marketplace"
 */
export function nearestName(name: string, names: Iterable<string>): string | null {
  const wanted = foldName(name);
  let nearest: string | null = null;
  // At most a third of the letters may differ; anything further away is another word.
  let best = Math.min(3, Math.floor(wanted.length / 3)) + 1;
  let looked = 0;
  for (const other of names) {
    if (other === name) continue;
    const letters = foldName(other);
    if (letters === wanted) return other;
    if (wanted.length > MOST_LETTERS || Math.abs(letters.length - wanted.length) >= best) continue;
    if (looked++ >= MOST_NAMES) continue;
    const distance = editDistance(wanted, letters);
    if (distance >= best) continue;
    best = distance;
    nearest = other;
  }
  return nearest;
}

/** "Vélos d'occasion" -> "velosdoccasion"; "r/Pics" -> "pics". A name of only signs is unchanged. */
export function foldName(name: string): string {
  const letters = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/^\/?[rc]\//, "")
    .replace(/[^\p{L}\p{N}]/gu, "");
  return letters || name;
}

/** Number of letters to add, drop, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}

/** Groups items by a key. Keys, and the items of each, keep their order. */
export function groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
