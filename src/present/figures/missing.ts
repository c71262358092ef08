import type { Figure } from "../../core/figure.js";
import type { ReportPage } from "../../measures/report-page.js";
import { isOfCohort, leftOutText } from "../words/vocabulary.js";

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
