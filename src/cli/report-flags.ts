import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "../errors.js";
import { fileError } from "../ledger/files.js";

/** The flags of `report` that say what is written, and how much of it. */
export interface PageFlags {
  html?: string;
  figures?: string;
  json?: boolean;
  jsonFile?: string;
  md?: boolean;
  mdFile?: string;
  redact?: boolean;
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
  const files = [flags.html, flags.jsonFile, flags.mdFile]
    .filter((file) => file !== undefined)
    .map((file) => resolve(file));
  if (new Set(files).size < files.length) {
    wrong("same_file", `${flags.html ?? flags.mdFile}: would be written twice`, "Give each its own file.");
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
    if (there) accessSync(path, constants.W_OK);
  } catch (cause) {
    throw fileError(cause, path);
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
