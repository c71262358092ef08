import type { Figure, FigureRow } from "../../core/figure.js";
import { csvRow } from "../../core/records/csv-row.js";
import type { ReportPage } from "../../measures/report-page.js";
import { isOfCohort, leftOutText, nameText } from "../words/vocabulary.js";

/** Why a report has no calibration, not even weights of S. */
export function calibrationMissing({ report }: Pick<ReportPage, "report">): Missing {
  if (isOfCohort(report)) return { missing: leftOutText("Calibrations are") };
  const run = report.run.run_id;
  return {
    missing: run
      ? "No calibration fits this run, so its scores cannot be read as probabilities."
      : "The report was made from a file of audits; calibrations belong to runs of a workspace.",
    ...(run ? { command: "defensible calibrate" } : {}),
  };
}

/** Why a figure cannot be drawn, and the command that would fix it. */
export interface Missing {
  missing: string;
  command?: string;
}

/** A figure's data, or why it is missing: an empty figure explains nothing. */
export type MaybeFigure = Figure | Missing;

export function isMissing(figure: MaybeFigure): figure is Missing {
  return "missing" in figure;
}

/** Columns of the rows, in order of first appearance. */
export function figureColumns(rows: readonly FigureRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** All rows of a figure as CSV, escaped against spreadsheet formulas and terminal control characters. */
export function figureCsv({ rows }: Pick<Figure, "rows">): string {
  const columns = figureColumns(rows);
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))];
  return lines.map((cells) => csvRow(cells.map(harmless))).join("");
}

/** Ids are content, and these files are read on terminals: strips what a terminal would obey. */
function harmless(cell: FigureRow[string]): FigureRow[string] {
  return typeof cell === "string" ? nameText(cell, Number.POSITIVE_INFINITY) : cell;
}
