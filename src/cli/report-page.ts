import { printable } from "../figures/printable.js";
import { writeFileAtomic } from "../ledger/files.js";
import { buildPage } from "../reports/page/build-page.js";
import { htmlFile } from "../reports/page/html-file.js";
import { say } from "./output.js";
import type { ReportSubject } from "./run-report.js";

/** Writes the report as one HTML file. */
export async function writeReportPage({ table, report }: ReportSubject, path: string): Promise<void> {
  const page = await buildPage(table, report);
  writeFileAtomic(path, htmlFile(page));
  say(`Wrote ${printable(path)}`);
}
