import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { csvRow } from "../domain/csv-row.js";
import type { Figure } from "../domain/figure.js";
import { plural } from "../figures/numbers.js";
import { printable } from "../figures/printable.js";
import { writeFileAtomic } from "../ledger/files.js";
import { say } from "./output.js";

export interface FigureOptions {
  figureData?: string;
}

/** For commands whose result has figures. */
export function withFigureOption(command: Command): Command {
  return command.option("--figure-data <dir>", "write the data of each figure to DIR/<figure>.csv");
}

/** Ids are content, and these files are looked at on terminals: text without what a terminal would obey. */
function harmless(cell: unknown): unknown {
  return typeof cell === "string" ? printable(cell, Number.POSITIVE_INFINITY) : cell;
}

/** One CSV file a figure. */
export function writeFigureData(figures: readonly Figure[], { figureData }: FigureOptions): void {
  if (figureData === undefined) return;
  mkdirSync(figureData, { recursive: true });
  for (const { id, rows } of figures) {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))];
    writeFileAtomic(join(figureData, `${id}.csv`), lines.map((cells) => csvRow(cells.map(harmless))).join(""));
  }
  say(`Wrote the data of ${plural(figures.length, "figure")} to ${printable(figureData)}`);
}
