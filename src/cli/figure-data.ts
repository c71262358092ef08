import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Figure } from "../core/figure.js";
import { writeFileAtomic } from "../io/files.js";
import { figureCsv } from "../present/figures/figure-csv.js";
import { plural } from "../present/words/numbers.js";
import { printable } from "../text/printable.js";
import { say } from "./output.js";

export interface FigureOptions {
  figureData?: string;
}

/** For commands whose result has figures. */
export function withFigureOption(command: Command): Command {
  return command.option("--figure-data <dir>", "write the data of each figure to DIR/<figure>.csv");
}

/** One CSV file a figure. */
export function writeFigureData(figures: readonly Figure[], { figureData }: FigureOptions): void {
  if (figureData === undefined) return;
  mkdirSync(figureData, { recursive: true });
  for (const figure of figures) writeFileAtomic(join(figureData, `${figure.id}.csv`), figureCsv(figure));
  say(`Wrote the data of ${plural(figures.length, "figure")} to ${printable(figureData)}`);
}
