import type { ReportPage } from "../../measures/report-page.js";
import { isOfCohort, leftOutText } from "../words/left-out.js";
import type { Missing } from "./missing.js";

/** Why a report has no calibration, not even weights of S. */
export function calibrationMissing({ report }: Pick<ReportPage, "report">): Missing {
  if (isOfCohort(report)) return { missing: leftOutText("Calibrations are") };
  const run = report.run.run_id;
  return {
    missing: run
      ? "No calibration fits this run, so nobody knows how far its scores can be trusted as probabilities."
      : "The report was made from a file of audits; calibrations belong to runs of a workspace.",
    ...(run ? { command: "defensible calibrate" } : {}),
  };
}
