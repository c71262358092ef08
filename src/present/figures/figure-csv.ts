import type { Figure, FigureRow } from "../../core/figure.js";
import { csvRow } from "../../core/records/csv-row.js";
import { nameText } from "../words/vocabulary.js";

/** Columns of the rows, in the order in which they first appear. */
export function figureColumns(rows: readonly FigureRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The data of a figure as CSV: all its rows, guarded against what a spreadsheet or a terminal would obey. */
export function figureCsv({ rows }: Pick<Figure, "rows">): string {
  const columns = figureColumns(rows);
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))];
  return lines.map((cells) => csvRow(cells.map(harmless))).join("");
}

/** Ids are content, and these files are looked at on terminals: text without what a terminal would obey. */
function harmless(cell: FigureRow[string]): FigureRow[string] {
  return typeof cell === "string" ? nameText(cell, Number.POSITIVE_INFINITY) : cell;
}
