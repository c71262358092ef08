import { OPPOSITE_ARM } from "../audit/arms.js";
import type { Report } from "../domain/report.js";
import { plural, whole } from "../figures/numbers.js";
import { printable } from "../figures/printable.js";
import type { ReportPage } from "../figures/report-page.js";
import type { GateAdjustment } from "../gate/adjustment.js";
import { FileLedger } from "../ledger/file-ledger.js";
import { writeFileAtomic } from "../ledger/files.js";
import { buildPage, type PageGate } from "../reports/page/build-page.js";
import { fitPage } from "../reports/page/fit-page.js";
import { htmlFile, htmlShell, shellBytes } from "../reports/page/html-file.js";
import type { PageSubject } from "../reports/page/page-subject.js";
import { redactReport } from "../reports/page/redact-report.js";
import { keyedHash, newRedactionKey, redactionKey } from "../workspace/redaction-key.js";
import { gateSettings, settingsInForce } from "./gate-settings.js";
import { say } from "./output.js";
import type { ReportSubject } from "./run-report.js";

/** A report without what people wrote, and how that is hashed. */
export interface Redaction {
  report: Report;
  hashOf: (text: string) => string;
}

export interface PageRequest {
  /** Decisions listed at most; null: none. */
  decisions: number | null;
  redaction?: Redaction | null;
}

/** Takes what people wrote out of a report. The key stays with the workspace; audits of a file have none to stay with. */
export function redactionOf({ report, workspace }: ReportSubject): Redaction {
  if (!workspace) {
    say("Redacted under a key that is not kept: the same text has another hash in the next report of this file.");
  }
  const hashOf = keyedHash(workspace ? redactionKey(workspace) : newRedactionKey());
  return { report: redactReport(report, hashOf), hashOf };
}

/** The data of the pages of a report. */
export async function reportPage(subject: ReportSubject, request: PageRequest): Promise<ReportPage> {
  const opposites = await findOpposites(subject);
  const { decisions, redaction } = request;
  const page = await buildPage(
    { ...subject, opposites },
    { gate: startGate(subject), decisions, hashOf: redaction?.hashOf ?? null },
  );
  return { ...page, signal_weights: subject.manifest?.weights ?? null };
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
  for (const note of fitted.notes) say(note);
}

function megabytes(bytes: number): string {
  return `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;
}

/** What `defensible gate` would say of these audits: the gate in force where it rests on them, else the workspace's settings. */
function startGate({ report, workspace }: ReportSubject): PageGate {
  const { gate } = report;
  const base = gate ? settingsInForce(gate) : workspace?.config.gate;
  const { di, ai, min_decisions, variable, mode, q, delta, by } = gateSettings({}, base);
  return {
    by,
    mode,
    limits: { di, ai, min_decisions, variable },
    q,
    delta,
    adjust: (gate?.adjust as GateAdjustment | undefined) ?? "holm",
    // A file has no history of looks; a workspace's gate is looked at again.
    look: gate?.look ?? (workspace ? "anytime" : "once"),
    // The labels that the gate was given, not those of today: the page shows the gate in force.
    ...(gate?.label_counts ? { label_counts: gate.label_counts } : {}),
  };
}

/** The newest run that audited the opposites of decisions, if the same auditor made it. */
async function findOpposites({ workspace, manifest }: ReportSubject): Promise<PageSubject["opposites"]> {
  if (!workspace || !manifest) return null;
  const ledger = new FileLedger(workspace.paths.runs);
  const same = ["auditor", "auditor_version", "prompt_version", "tier", "template"] as const;
  const run = (await ledger.list()).find(
    (one) => one.experiment?.kind === "dual" && same.every((name) => one[name] === manifest[name]),
  );
  return run ? { source: ledger.source(run.run_id), arm: OPPOSITE_ARM.name } : null;
}
