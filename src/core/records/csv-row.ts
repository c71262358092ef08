/**
 * How text begins that a spreadsheet would take for a formula: a sign, also in its full-width, small, raised or lowered form, behind any blank
 * space, line breaks, invisible characters and `'`, which spreadsheets drop or which people do. Text of this shape is written with one `'` more, and
 * reading takes one away from what has this shape and begins with one. The pattern means the same to JavaScript (with `u`) and to SQL.
 */
export const FORMULA = "(?:[\\p{Z}\\p{Cc}\\p{Cf}']*[=+\\-@＝＋－＠﹢﹣﹦﹫⁺₊⁼₌]|'*[\\t\\r])";
const STARTS_FORMULA = new RegExp(`^${FORMULA}`, "u");
const GUARDED = new RegExp(`^'${FORMULA}`, "u");
/** Semicolon and tab as well, so that no one takes them for the separator. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** The first line of a CSV file, with its newline (LF: what line tools and every CSV reader take). */
export function csvHeader(columns: readonly string[]): string {
  return csvRow(columns);
}

/**
 * One record (RFC 4180), with its newline. Null and undefined are empty and "" is a pair of quotes; numbers and booleans are never
 * touched; lists and objects are JSON; text is guarded against spreadsheet formulas.
 */
export function csvRow(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  const text = typeof value === "string" ? guard(value) : JSON.stringify(value);
  return text === "" || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function guard(text: string): string {
  return STARTS_FORMULA.test(text) ? `'${text}` : text;
}

/** The text of a cell that was written guarded. */
export function unguardCell(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
