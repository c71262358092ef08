import type { ReportPage } from "../../src/measures/report-page.js";

/** Whether the report was made from a file of audits: there is no workspace then, and nothing may speak of one. */
export function isFromFile({ report }: ReportPage): boolean {
  return report.run.run_id === null;
}
