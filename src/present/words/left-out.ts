import type { Report } from "../../core/results/report.js";

/** Whether a report is about one cohort. Calibration, gate in force and experiments are about whole runs: it has none, whatever the workspace has. */
export function isOfCohort({ run }: Pick<Report, "run">): boolean {
  return run.cohort !== undefined;
}

/** Why such a report lacks something, so that nobody makes anew what there may be. */
export function leftOutText(what: string): string {
  return `${what} left out in a report on one cohort, since they are about whole runs; a report without --cohort shows what there is.`;
}
