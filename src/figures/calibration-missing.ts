import type { Missing } from "./missing.js";
import type { ReportPage } from "./report-page.js";

/** Why a report has no calibration. Weights of S alone are none: S is a score and no probability, so there is nothing to apply. */
export function calibrationMissing({ report }: Pick<ReportPage, "report">): Missing {
  const run = report.run.run_id;
  return {
    missing: run
      ? "No calibration fits this run, so nobody knows how far its scores can be trusted as probabilities. (Weights of S fitted by the paper's method give none: S is a score.)"
      : "The report was made from a file of audits; calibrations belong to runs of a workspace.",
    ...(run ? { command: "defensible calibrate" } : {}),
  };
}
