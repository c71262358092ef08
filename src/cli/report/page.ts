import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { ReportSubject } from "../../app/report/build-report.js";
import { InputError } from "../../core/errors.js";
import type { Figure } from "../../core/figure.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { builtFile } from "../../io/machine.js";
import type { ReportPage } from "../../measures/report-page.js";
import { reportFigures } from "../../present/figures/report-figures.js";
import { type Redaction, reportPage } from "../../present/page/build-page.js";
import { fitPage } from "../../present/page/fit-page.js";
import { htmlFile, htmlShell, shellBytes } from "../../present/page/html-file.js";
import { redactReport, withoutDecisions } from "../../present/page/redact-report.js";
import { keyedHash } from "../../present/page/writing.js";
import { lacksDecisions, listedSentence } from "../../present/words/decision-list.js";
import { plural, whole } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import { say } from "../output.js";
import { type PageFlags, wantsPage } from "./flags.js";

/** Redacts a report if requested, and writes its page and figures. */
export async function finishReport(subject: ReportSubject, flags: PageFlags): Promise<void> {
  const redaction = flags.redact ? await redactionOf(subject) : null;
  if (redaction) subject.report = redaction.report;
  if (!flags.decisions) subject.report = withoutDecisions(subject.report);
  if (!wantsPage(flags)) return;
  const page = await reportPage(subject, { decisions: flags.decisions || null, redaction });
  const { figures: folder, figureFiles = [] } = flags;
  if (folder !== undefined) refuseForeignFigures(page, folder);
  if (flags.html !== undefined) writeReportPage(page, flags.html);
  if (folder !== undefined) await writeReportFigures(page, folder);
  await writeNamedFigures(page, figureFiles);
}

/** Removes user text from a report. The key stays in the workspace; audits of a file have no place to keep one. */
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

/** Writes the report as one HTML file; returns the part that fitted. */
export function writePage(page: ReportPage, path: string): { fitted: ReportPage; bytes: number } {
  const shell = htmlShell();
  const fitted = fitPage(page, shellBytes(shell));
  const html = htmlFile(fitted, shell);
  writeFileAtomic(path, html);
  return { fitted, bytes: Buffer.byteLength(html) };
}

/** Writes the page and reports what did not fit. */
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

interface Drawing {
  figureSvg: (figure: Figure, width?: number) => string;
}

/** Beginning of figure files, including those saved from the page and those of earlier versions. */
const OWN = /^\s*<svg\b[^>]*\sclass="drawing"/;

/** Refuses a folder in which a foreign file has the name of a figure, before anything is written. */
function refuseForeignFigures(page: ReportPage, directory: string): void {
  for (const [name] of fileNames(reportFigures(page))) {
    const path = join(directory, `${name}.svg`);
    if (!existsSync(path) || isOwn(path)) continue;
    throw new InputError(
      "not_a_figure",
      `--figures ${directory}: ${name}.svg is there already, and is no figure of a report`,
      "Name another folder, or move that file away.",
    );
  }
}

function isOwn(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const text = readFileSync(path, "utf8");
    return text === "" || OWN.test(text.slice(0, 1_000));
  } catch (cause) {
    throw fileError(cause, path);
  }
}

/** Writes every figure of a report as DIR/<id>.svg, after `refuseForeignFigures`. Other files there stay untouched. */
async function writeReportFigures(page: ReportPage, directory: string): Promise<void> {
  const figures = reportFigures(page);
  const { figureSvg } = await drawing();
  mkdirSync(directory, { recursive: true });
  for (const [name, figure] of fileNames(figures)) {
    writeFileAtomic(join(directory, `${name}.svg`), figureSvg(figure));
  }
  say(`Wrote ${plural(figures.length, "figure")} to ${printable(directory)}`);
}

/** Writes individual figures; each file is named after its figure. */
async function writeNamedFigures(page: ReportPage, files: readonly string[]): Promise<void> {
  const figures = new Map(fileNames(reportFigures(page)));
  for (const file of files) {
    const figure = figures.get(basename(file, extname(file)));
    if (!figure) {
      const message = `--out ${file}: the report has no figure of this name`;
      throw new InputError("unknown_figure", message, `Name one of: ${[...figures.keys()].join(", ")}.`);
    }
    const { figureSvg } = await drawing();
    writeFileAtomic(file, figureSvg(figure));
    say(`Wrote ${printable(file)}`);
  }
}

async function drawing(): Promise<Drawing> {
  // Built from `web/draw`, with all its dependencies bundled.
  return import(builtFile("draw-files.js").href);
}

/** Names files after the figures' ids, in letters that every file system accepts; a repeated id gets a number. */
function fileNames(figures: readonly Figure[]): [string, Figure][] {
  const times = new Map<string, number>();
  return figures.map((figure) => {
    const id = figure.id.replace(/[^a-z0-9-]+/g, "-");
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    return [time === 1 ? id : `${id}-${time}`, figure];
  });
}
