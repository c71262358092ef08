/**
 * Prefix that makes a spreadsheet interpret text as a formula: a sign, including its full-width, small, raised or lowered form, after any blank
 * space, line breaks, invisible characters and `'`, which spreadsheets or people remove. Text of this shape is written with one additional `'`, and
 * reading removes one from text of this shape that begins with one. The pattern means the same in JavaScript (with `u`) and in SQL.
 */
export const FORMULA = "(?:[\\p{Z}\\p{Cc}\\p{Cf}']*[=+\\-@＝＋－＠﹢﹣﹦﹫⁺₊⁼₌]|'*[\\t\\r])";
const STARTS_FORMULA = new RegExp(`^${FORMULA}`, "u");
const GUARDED = new RegExp(`^'${FORMULA}`, "u");
/** Semicolon and tab too, so that they cannot be mistaken for the separator. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** The first line of a CSV file, with its newline (LF, which line tools and CSV readers accept). */
export function csvHeader(columns: readonly string[]): string {
  return csvRow(columns);
}

/**
 * One record (RFC 4180), with its newline. Null and undefined are empty and "" is a pair of quotes; numbers and booleans are unchanged; lists and
 * objects are JSON; text is guarded against spreadsheet formulas.
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

/** The original text of a guarded cell. */
export function unguardCell(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
