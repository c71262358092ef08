import { createContext, use } from "react";
import type { ReportPage } from "../../src/measures/report-page.js";

export const PageContext = createContext<ReportPage | null>(null);

/** Null on the page of a single document. */
export function useMaybePage(): ReportPage | null {
  return use(PageContext);
}

export function usePage(): ReportPage {
  const page = use(PageContext);
  if (!page) throw new Error("usePage: no page above this component");
  return page;
}

/** Whether the report was made from a file of audits; there is then no workspace to mention. */
export function isFromFile(page: ReportPage | null): boolean {
  return page?.report.run.run_id === null;
}
