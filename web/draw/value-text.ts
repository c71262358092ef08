import type { Figure, FigureAxis, FigureRow } from "../../src/core/figure.js";
import { attackScoreName } from "../../src/present/words/experiment-words.js";
import { decimal, formatNumber, whole } from "../../src/present/words/numbers.js";
import { stepText, tierText } from "../../src/present/words/rule-texts.js";
import { nameText, SIGNS, sign, type Words } from "../../src/present/words/vocabulary.js";
import { MODE_WORDS, STATE_WORDS } from "../../src/present/words/words.js";
import { cutText } from "./text-fit.ts";

export type Cell = FigureRow[string];

/** Columns of names that users gave, which are never changed; values of other columns are our own words. */
const NAMED = /^(community|decision_id|id|rule|rule_id|cohort|run|run_id|title|auditor|decider|rater|model|what|test)$/;

/** Symbols of indices in words: "AI" reads as artificial intelligence. */
const INDEX_NAMES: Readonly<Record<string, string>> = {
  DI: "defensibility (DI)",
  AI: "ambiguity",
  "pure AI": "pure ambiguity",
  "AI by citation": "ambiguity by citation",
  AI_pure: "pure ambiguity",
};

const hasWords = (table: Readonly<Record<string, Words>>, key: string) => Object.hasOwn(table, key);

/** A value of a column in words. */
export function valueName(field: string, value: Cell): string {
  if (value === null) return "undefined";
  if (field === "level" && /^[123]$/.test(String(value))) return `level ${value}`;
  if (field === "temperature" && typeof value === "number") return `T = ${value}`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value).replace("-", "−");
  if (field === "state" && hasWords(STATE_WORDS, value)) return STATE_WORDS[value as keyof typeof STATE_WORDS].name;
  if (field === "mode" && hasWords(MODE_WORDS, value)) return MODE_WORDS[value as keyof typeof MODE_WORDS].name;
  if (/^(?:index|measured|rate)$/.test(field) && Object.hasOwn(INDEX_NAMES, value)) return INDEX_NAMES[value]!;
  if (field === "tier") return tierText(value);
  if (field === "step" && stepText(value) !== value) return stepText(value);
  if (NAMED.test(field)) return safeText(value, 300);
  const words = safeText(field === "score" ? attackScoreName(value) : value, 300);
  return words.split(" ").map(wordName).join(" ");
}

/** `inverse_yes_prob` -> "σ(ρ)", `rock_solid` -> "rock solid". */
function wordName(word: string): string {
  return Object.hasOwn(SIGNS, word) || /^[a-z0-9]+(_[a-z0-9]+)*$/.test(word) ? sign(word) : word;
}

/** Possibly foreign text, without what a page, a file or a reader would obey or XML does not allow. */
export function safeText(text: string, maxLength = 2_000): string {
  return nameText(text, maxLength).replace(/[\ufffe\uffff]/g, "·");
}

/** The head of a column: `di_lower` -> "di lower". */
export function columnName(field: string): string {
  return wordName(safeText(field, 80));
}

/** A value of an axis in full, for tips and cells. */
export function valueText({ format }: Pick<FigureAxis, "format">, value: number): string {
  if (format) return formatNumber(value, format).replace("-", "−");
  return Number.isInteger(value) ? whole(value) : decimal(value, Math.abs(value) < 0.01 ? 5 : 3);
}

/** Writes ticks with as few digits as distinguish them. */
export function tickText({ format }: Pick<FigureAxis, "format">, ticks: readonly number[]): (value: number) => string {
  const factor = format === "percent" || format === "points" ? 100 : 1;
  const digits = Math.max(0, ...ticks.map((tick) => digitsOf(factor * tick)));
  const plain = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value) => {
    const text = plain.format(factor * value).replace("-", "−");
    if (format === "percent") return `${text}%`;
    if (format === "points") return `${value > 0 ? "+" : ""}${text} pp`;
    return text;
  };
}

function digitsOf(value: number): number {
  const text = String(Number(value.toPrecision(10)));
  const exponent = text.indexOf("e-");
  if (exponent >= 0) return Math.min(20, Number(text.slice(exponent + 2)));
  return text.includes(".") ? text.length - text.indexOf(".") - 1 : 0;
}

/** The tip at the pointer: the point's name, its values with intervals, its series and size. */
export function tipText(figure: Figure, row: FigureRow): string {
  const { name, series, size, x, y, facet, value } = figure;
  const lines: string[] = [];
  if (name) lines.push(valueName(name, row[name] ?? null));
  lines.push(axisLine(x, row), axisLine(y, row));
  if (value) lines.push(axisLine(value, row));
  for (const field of [series, facet]) {
    if (field && field !== x.field && field !== y.field) lines.push(fieldLine(field, row));
  }
  if (size) lines.push(`${safeText(size.label, 60)}: ${whole(Number(row[size.field] ?? 0))}`);
  else if (typeof row.n === "number" && y.field !== "n" && x.field !== "n") lines.push(`n: ${whole(row.n)}`);
  return [...new Set(lines)].map((line) => cutText(line, 400, 12)).join("\n");
}

function fieldLine(field: string, row: FigureRow): string {
  return `${columnName(field)}: ${valueName(field, row[field] ?? null)}`;
}

function axisLine(axis: FigureAxis, row: FigureRow): string {
  const value = row[axis.field] ?? null;
  const label = safeText(axis.label, 60);
  if (typeof value !== "number") return `${label}: ${valueName(axis.field, value)}`;
  const lower = row[`${axis.field}_lower`] ?? (hasOwnPlainInterval(axis, row) ? row.lower : null);
  const upper = row[`${axis.field}_upper`] ?? (hasOwnPlainInterval(axis, row) ? row.upper : null);
  const between =
    typeof lower === "number" && typeof upper === "number"
      ? ` (${valueText(axis, lower)} to ${valueText(axis, upper)})`
      : "";
  return `${label}: ${valueText(axis, value)}${between}`;
}

/** Plain `lower` and `upper` belong to the axis whose value lies between them. */
function hasOwnPlainInterval({ field }: FigureAxis, { [field]: value, lower, upper }: FigureRow): boolean {
  if (typeof value !== "number" || typeof lower !== "number" || typeof upper !== "number") return false;
  return lower - 1e-9 <= value && value <= upper + 1e-9;
}
