import { startGate } from "../../app/gate/gate-settings.js";
import { changedSince, type ReportSubject } from "../../app/report/run-report.js";
import { OPPOSITE_ARM } from "../../audit/arms.js";
import type { Report } from "../../core/results/report.js";
import { writeFileAtomic } from "../../io/files.js";
import type { ReportPage } from "../../measures/report-page.js";
import { buildPage } from "../../present/page/build-page.js";
import { fitPage } from "../../present/page/fit-page.js";
import { htmlFile, htmlShell, shellBytes } from "../../present/page/html-file.js";
import type { PageSubject } from "../../present/page/page-subject.js";
import { redactReport } from "../../present/page/redact-report.js";
import { lacksDecisions, listedSentence } from "../../present/words/decision-list.js";
import { plural, whole } from "../../present/words/numbers.js";
import { type KeyedHash, keyedHash } from "../../store/files/redaction-key.js";
import { newKey } from "../../store/files/secret-key.js";
import { printable } from "../../text/printable.js";
import { say } from "../output.js";

/** A report without what people wrote, and how that is hashed. */
export interface Redaction {
  report: Report;
  hashOf: KeyedHash;
}

export interface PageRequest {
  /** Decisions listed at most; null: none. */
  decisions: number | null;
  redaction?: Redaction | null;
}

/** Takes what people wrote out of a report. The key stays with the workspace; audits of a file have none to stay with. */
export async function redactionOf({ report, context }: ReportSubject): Promise<Redaction> {
  if (!context) {
    say("Redacted under a key that is not kept: the same text has another hash in the next report of this file.");
  }
  const hashOf = keyedHash(context ? await context.redactionKey() : newKey());
  return { report: redactReport(report, hashOf), hashOf };
}

/** The data of the pages of a report. */
export async function reportPage(subject: ReportSubject, request: PageRequest): Promise<ReportPage> {
  const { context, manifest } = subject;
  const opposites = await findOpposites(subject);
  const changed = context && manifest ? await changedSince(context.records, manifest) : null;
  const { decisions, redaction } = request;
  return buildPage(
    { ...subject, opposites, changed },
    { gate: startGate(subject.report.gate, context?.config ?? null), decisions, hashOf: redaction?.hashOf ?? null },
  );
}

/** Writes the report as one HTML file, and says what did not fit. */
export function writeReportPage(page: ReportPage, path: string): void {
  const shell = htmlShell();
  const fitted = fitPage(page, shellBytes(shell));
  const html = htmlFile(fitted, shell);
  writeFileAtomic(path, html);
  const listed = fitted.decisions.length;
  const of =
    page.decisions_of === null ? "no single decisions" : `${whole(listed)} of ${plural(page.decisions_of, "decision")}`;
  say(`Wrote ${printable(path)} (${megabytes(Buffer.byteLength(html))}; ${of})`);
  if (lacksDecisions(fitted)) say(listedSentence(fitted));
  for (const note of fitted.notes) say(note);
}

function megabytes(bytes: number): string {
  return `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;
}

/** The newest run that audited the opposites of decisions, if the same auditor made it. */
async function findOpposites({ context, manifest }: ReportSubject): Promise<PageSubject["opposites"]> {
  if (!context || !manifest) return null;
  const { runs: ledger } = context;
  const same = ["auditor", "auditor_version", "prompt_version", "tier", "template"] as const;
  const run = (await ledger.list()).find(
    (one) => one.experiment?.kind === "dual" && same.every((name) => one[name] === manifest[name]),
  );
  return run ? { source: await ledger.snapshot(run.run_id), arm: OPPOSITE_ARM.name } : null;
}
