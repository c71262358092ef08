import type { ReportPage } from "../../src/measures/report-page.js";

/** Whether the report was made from a file of audits: there is no workspace then, and nothing may speak of one. */
export function isFromFile(page: ReportPage | null): boolean {
  return page?.report.run.run_id === null;
}
