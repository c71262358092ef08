import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { InputError } from "../errors.js";
import { fileError } from "../ledger/files.js";
import type { Workspace } from "../workspace/workspace.js";

/** The flags of `report` that say what is written, and how much of it. */
export interface PageFlags {
  html?: string;
  figures?: string;
  json?: boolean;
  jsonFile?: string;
  md?: boolean;
  mdFile?: string;
  redact?: boolean;
  /** What is read. */
  audits?: string;
  /** False: `--no-decisions`. */
  decisions: number | false;
}

/** Flags that only make sense together, and files that could not be written in the end: found out before the work, not after. */
export function checkPageFlags(flags: PageFlags, given: (name: keyof PageFlags) => boolean): void {
  const pages = flags.html !== undefined || flags.figures !== undefined;
  if (given("decisions") && !pages) {
    const flag = flags.decisions === false ? "--no-decisions" : "--decisions";
    wrong("needs_html", `${flag}: goes with --html`, `Leave out ${flag}, or add --html FILE.`);
  }
  if (
    flags.redact &&
    !pages &&
    !flags.json &&
    flags.jsonFile === undefined &&
    !flags.md &&
    flags.mdFile === undefined
  ) {
    const remedy = "Say what is to be redacted, such as --html FILE.";
    wrong("needs_output", "--redact: goes with --html, --figures, --json or --md", remedy);
  }
  if (flags.html !== undefined) checkHtml(flags.html);
  if (flags.figures !== undefined) checkFolder(flags.figures);
  const files = outputFiles(flags).map((file) => resolve(file));
  if (new Set(files).size < files.length) {
    wrong("same_file", `${flags.html ?? flags.mdFile}: would be written twice`, "Give each its own file.");
  }
  const read = flags.audits === undefined ? null : realPath(flags.audits);
  for (const file of outputFiles(flags)) {
    if (read !== null && realPath(file) === read) {
      wrong("is_input", `${file}: is the audits file that the report is made from`, "Name another file to write.");
    }
  }
}

/** Refuses to write a report over what a workspace is made of; other files in its folder may be replaced. */
export function refuseOwnFiles(flags: PageFlags, { root, paths }: Pick<Workspace, "root" | "paths">): void {
  const more = ["experiments", "humans", "redaction.key"].map((name) => join(root, name));
  const own = [...Object.values(paths), ...more].map(realPath).filter((path) => path !== null);
  for (const file of outputFiles(flags)) {
    const path = realPath(file);
    if (path === null || !own.some((one) => path === one || path.startsWith(`${one}${sep}`))) continue;
    wrong(
      "is_workspace_file",
      `${file}: is a file of the workspace, which the report would replace`,
      "Name another file.",
    );
  }
}

function outputFiles({ html, jsonFile, mdFile }: PageFlags): string[] {
  return [html, jsonFile, mdFile].filter((file) => file !== undefined);
}

/** Where a file is, by whatever name; null where there is none. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function checkHtml(path: string): void {
  const remedy = "Name a file to open in a browser: --html report.html.";
  if (path.trim() === "") wrong("no_file", "--html: the name of the file is empty", remedy);
  if (path === "-") wrong("not_a_file", "--html -: a page is not written to the terminal", remedy);
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) wrong("not_a_file", `--html ${path}: is a folder`, remedy);
    if (there && !there.isFile()) wrong("not_a_file", `--html ${path}: is no file that could be replaced`, remedy);
    // Written beside its place, where a link leads too, and then moved there.
    accessSync(dirname(there ? realpathSync(path) : resolve(path)), constants.W_OK);
    if (there) {
      accessSync(path, constants.W_OK);
      if (there.size > 0 && !isHtml(path)) {
        wrong("not_a_page", `--html ${path}: is a file already, and no HTML page`, "Name another: --html report.html.");
      }
    }
  } catch (cause) {
    throw fileError(cause, path);
  }
}

/** Whether a file begins like a page. A report replaces an older one; anything else somebody named by mistake. */
function isHtml(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(64);
    return /^\ufeff?\s*<(?:!doctype html|html)\b/i.test(start.toString("utf8", 0, readSync(file, start)));
  } finally {
    closeSync(file);
  }
}

function checkFolder(path: string): void {
  const remedy = "Name a folder, which need not exist: --figures figures.";
  if (path.trim() === "") wrong("no_folder", "--figures: the name of the folder is empty", remedy);
  if (path === "-") wrong("not_a_folder", "--figures -: figures are not written to the terminal", remedy);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) wrong("not_a_folder", `--figures ${path}: is a file`, remedy);
}

function wrong(code: string, message: string, remedy: string): never {
  throw new InputError(code, message, remedy);
}
