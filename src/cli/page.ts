import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Figure } from "../core/figure.js";
import { writeFileAtomic } from "../io/files.js";
import { VERSION } from "../io/machine.js";
import type { Document } from "../present/document/document.js";
import { renderMarkdown } from "../present/document/render.js";
import { figureCsv } from "../present/figures/missing.js";
import { htmlFile } from "../present/page/html-file.js";
import { plural } from "../present/words/numbers.js";
import { printable } from "../text/printable.js";
import { isVerbose, type JsonOptions, print, printDocument, printJson, say, withPage } from "./output.js";

export interface PageOptions {
  md?: boolean;
  mdFile?: string;
  jsonFile?: string;
  html?: string;
  /** Rows of long tables in printed documents; pages show all rows. */
  rows?: number;
}

/** How much of a document to show: rows of long tables, and whether to include all sections (`--verbose`; files always have them). */
interface Size extends Pick<PageOptions, "rows"> {
  verbose: boolean;
}

/** Prints a document or writes it to files, as requested. `taken`: stdout has the JSON. */
export function printPage(
  document: (size: Size) => Document,
  options: PageOptions,
  taken: boolean,
  figures: readonly Figure[] = [],
): void {
  const { html, mdFile, rows } = options;
  const size = rows === undefined ? {} : { rows };
  if (html) {
    const page = {
      format: 1,
      made_by: `defensible ${VERSION}`,
      document: document({ rows: Number.POSITIVE_INFINITY, verbose: true }),
      figures,
    } as const;
    writeFileAtomic(html, htmlFile(page));
    say(`Wrote ${printable(html)}`);
  }
  if (mdFile) {
    writeFileAtomic(mdFile, renderMarkdown(document({ ...size, verbose: true })));
    say(`Wrote ${printable(mdFile)}`);
  }
  if (taken) return;
  if (options.md) print(renderMarkdown(document({ ...size, verbose: true })));
  else if (!options.jsonFile && !mdFile && !html) printDocument(document({ ...size, verbose: isVerbose() }));
}

/** Shows an experiment's result: where it is stored, its figure data, and a document or JSON. */
export function showExperiment<T extends { figures: Figure[] }>(
  { result, kept, figures = [] }: { result: T; kept: string | null; figures?: readonly Figure[] },
  options: PageOptions & FigureOptions & JsonOptions,
  document: (result: T, size: Size) => Document,
): void {
  if (kept !== null) say(`Kept as ${printable(kept)}`);
  writeFigureData([...result.figures, ...figures], options);
  printPage((size) => document(result, size), options, printJson(result, options), result.figures);
}

export interface FigureOptions {
  figureData?: string;
}

/** Adds the output flags of experiments: document and figure data. */
export function withResultOptions(command: Command): Command {
  return withPage(command).option("--figure-data <dir>", "write the data of each figure to DIR/<figure>.csv");
}

/** One CSV file per figure. */
export function writeFigureData(figures: readonly Figure[], { figureData }: FigureOptions): void {
  if (figureData === undefined) return;
  mkdirSync(figureData, { recursive: true });
  for (const figure of figures) writeFileAtomic(join(figureData, `${figure.id}.csv`), figureCsv(figure));
  say(`Wrote the data of ${plural(figures.length, "figure")} to ${printable(figureData)}`);
}
