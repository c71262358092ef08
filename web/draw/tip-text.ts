import type { Figure, FigureAxis, FigureRow } from "../../src/core/figure.js";
import { whole } from "../../src/present/words/numbers.js";
import { valueText } from "./number-text.ts";
import { cutText } from "./text-fit.ts";
import { columnName, safeText, valueName } from "./value-name.ts";

/** What stands at the pointer: the point's name, its values with intervals, its series and size. */
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
