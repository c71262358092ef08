import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Figure } from "../core/figure.js";
import { writeFileAtomic } from "../io/files.js";
import type { Document } from "../present/document/document.js";
import { renderMarkdown } from "../present/document/render-markdown.js";
import { figureCsv } from "../present/figures/figure-csv.js";
import { plural } from "../present/words/numbers.js";
import { printable } from "../text/printable.js";
import { type JsonOptions, print, printDocument, printJson, say } from "./output.js";

export interface PageOptions {
  md?: boolean;
  mdFile?: string;
  jsonFile?: string;
}

/** Prints a document, or writes it as Markdown, where the user asked for it; `taken`: stdout has the JSON. */
export function printPage(document: () => Document, options: PageOptions, taken: boolean): void {
  if (options.mdFile) {
    writeFileAtomic(options.mdFile, renderMarkdown(document()));
    say(`Wrote ${printable(options.mdFile)}`);
  }
  if (taken) return;
  if (options.md) print(renderMarkdown(document()));
  else if (!options.jsonFile && !options.mdFile) printDocument(document());
}

/** Shows the result of an experiment: where it is kept, the data of its figures, and a document or JSON. */
export function showExperiment<T extends { figures: Figure[] }>(
  { result, kept }: { result: T; kept: string | null },
  options: PageOptions & FigureOptions & JsonOptions,
  document: (result: T) => Document,
): void {
  if (kept !== null) say(`Kept as ${printable(kept)}`);
  writeFigureData(result.figures, options);
  printPage(() => document(result), options, printJson(result, options));
}

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
