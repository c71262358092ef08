import { randomBytes } from "node:crypto";
import type { ReportSubject } from "../../app/report/build-report.js";
import { writeFileAtomic } from "../../io/files.js";
import type { ReportPage } from "../../measures/report-page.js";
import { type Redaction, reportPage } from "../../present/page/build-page.js";
import { fitPage } from "../../present/page/fit-page.js";
import { htmlFile, htmlShell, shellBytes } from "../../present/page/html-file.js";
import { keyedHash } from "../../present/page/pseudonyms.js";
import { redactReport, withoutDecisions } from "../../present/page/redact-report.js";
import { lacksDecisions, listedSentence } from "../../present/words/decision-list.js";
import { plural, whole } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import { say } from "../output.js";
import { type PageFlags, wantsPage } from "./flags.js";

/** Takes out of a report what is to be left out, and writes its pages and figures where these are wanted. */
export async function finishReport(subject: ReportSubject, flags: PageFlags): Promise<void> {
  const redaction = flags.redact ? await redactionOf(subject) : null;
  if (redaction) subject.report = redaction.report;
  if (!flags.decisions) subject.report = withoutDecisions(subject.report);
  if (!wantsPage(flags)) return;
  const page = await reportPage(subject, { decisions: flags.decisions || null, redaction });
  const { figures: folder, figureFiles = [] } = flags;
  const figures = folder === undefined && figureFiles.length === 0 ? null : await import("./figures.js");
  if (folder !== undefined) figures?.refuseForeignFigures(page, folder);
  if (flags.html !== undefined) writeReportPage(page, flags.html);
  if (folder !== undefined) await figures?.writeReportFigures(page, folder);
  await figures?.writeNamedFigures(page, figureFiles);
}

/** Takes what people wrote out of a report. The key stays with the workspace; audits of a file have none to stay with. */
export async function redactionOf({ report, context }: ReportSubject): Promise<Redaction> {
  if (!context) {
    say("Redacted under a key that is not kept: the same text has another hash in the next report of this file.");
  }
  const hashOf = keyedHash(context ? await context.redactionKey() : randomBytes(32));
  return { report: redactReport(report, hashOf, await shownMembers()), hashOf };
}

async function shownMembers(): Promise<Record<string, readonly string[]>> {
  const { EXPERIMENTS } = await import("../../experiments/registry.js");
  return Object.fromEntries(Object.entries(EXPERIMENTS).map(([name, { shown = [] }]) => [name, shown]));
}

/** Writes the report as one HTML file; returns what fitted into it. */
export function writePage(page: ReportPage, path: string): { fitted: ReportPage; bytes: number } {
  const shell = htmlShell();
  const fitted = fitPage(page, shellBytes(shell));
  const html = htmlFile(fitted, shell);
  writeFileAtomic(path, html);
  return { fitted, bytes: Buffer.byteLength(html) };
}

/** The same, and says what did not fit. */
function writeReportPage(page: ReportPage, path: string): void {
  const { fitted, bytes } = writePage(page, path);
  const listed = fitted.decisions.length;
  const of =
    page.decisions_of === null ? "no single decisions" : `${whole(listed)} of ${plural(page.decisions_of, "decision")}`;
  say(`Wrote ${printable(path)} (${megabytes(bytes)}; ${of})`);
  if (lacksDecisions(fitted)) say(listedSentence(fitted));
  for (const note of fitted.notes) say(note);
}

function megabytes(bytes: number): string {
  return `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;
}
