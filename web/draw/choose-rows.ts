import type { Figure, FigureRow } from "../../src/core/figure.js";
import type { Cell } from "./value-name.ts";

export type Chosen = Readonly<Record<string, Cell>>;

/** Each value of a column once, in the order of the rows. */
export function distinct(rows: readonly FigureRow[], field: string): Cell[] {
  return [...new Set(rows.map((row) => row[field] ?? null))];
}

/** The value of each `choose` column that is looked at: the one asked for where the rows have it, else the first. */
export function chosenValues(figure: Figure, asked: Chosen = {}): Record<string, Cell> {
  const chosen: Record<string, Cell> = {};
  let rows: readonly FigureRow[] = figure.rows;
  for (const field of figure.choose ?? []) {
    const values = distinct(rows, field);
    const wanted = asked[field];
    const value = wanted !== undefined && values.includes(wanted) ? wanted : (values[0] ?? null);
    chosen[field] = value;
    // Columns are chosen one after the other, so that no choice leads to an empty picture.
    rows = rows.filter((row) => (row[field] ?? null) === value);
  }
  return chosen;
}

export function chosenRows(rows: readonly FigureRow[], chosen: Chosen): FigureRow[] {
  const wanted = Object.entries(chosen);
  return rows.filter((row) => wanted.every(([field, value]) => (row[field] ?? null) === value));
}
