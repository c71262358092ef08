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

/** Why a picture cannot be drawn, and the command that would change it. */
export interface Missing {
  missing: string;
  command?: string;
}

/** The data of a picture, or why nothing is there. An empty picture says nothing. */
export type MaybeFigure = Figure | Missing;

export function isMissing(figure: MaybeFigure): figure is Missing {
  return "missing" in figure;
}

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
