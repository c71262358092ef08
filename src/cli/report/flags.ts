import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { InputError } from "../../core/errors.js";
import { fileError } from "../../io/files.js";
import type { Workspace } from "../../store/files/workspace.js";

/** Decisions that a page lists, unless another number is asked for. */
export const DEFAULT_DECISIONS = 2_000;

/** More do not fit into a file that can be mailed, however short they are. */
export const MOST_DECISIONS = 5_000;

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
  workspace?: string;
  /** Of the tables in text. */
  rows?: number;
  /** False: `--no-decisions`. */
  decisions: number | false;
  /** `--decisions` was given, and `--no-decisions` was; `decisions` is that of the last. */
  listed?: boolean;
  leftOut?: boolean;
}

/** Whether the data of the pages are needed: for the page itself, or for its figures. */
export function wantsPage({ html, figures }: PageFlags): boolean {
  return html !== undefined || figures !== undefined;
}

/** Whether anything is written in text, for people. */
function printsTables(flags: PageFlags): boolean {
  const { json, jsonFile, md, mdFile } = flags;
  return md === true || mdFile !== undefined || !(wantsPage(flags) || json || jsonFile !== undefined);
}

/** Flags that only make sense together, and files that could not be written in the end: found out before the work, not after. */
export function checkPageFlags(flags: PageFlags, given: (name: keyof PageFlags) => boolean): void {
  if (flags.listed && flags.leftOut) {
    const remedy = "Leave one of them out: the first leaves single decisions out, the second lists some.";
    wrong("contradiction", "--no-decisions: does not go with --decisions", remedy);
  }
  if (flags.json && flags.md) {
    const remedy = "Write one of them to a file: --json=FILE or --md=FILE.";
    wrong("one_stdout", "--json: does not go with --md, since both would be printed", remedy);
  }
  if (flags.audits !== undefined && flags.workspace !== undefined) {
    const remedy = "Leave out --workspace, or --audits to report on a run of the workspace.";
    wrong("contradiction", "--workspace: does not go with --audits, which is read without one", remedy);
  }
  if (given("rows") && !printsTables(flags)) {
    const remedy = "Leave it out: pages, figures and JSON have every row.";
    wrong("needs_tables", "--rows: goes with tables in the terminal or in Markdown", remedy);
  }
  if (given("decisions") && flags.decisions !== false && flags.html === undefined) {
    wrong("needs_html", "--decisions: goes with --html", "Leave out --decisions, or add --html FILE.");
  }
  if (given("decisions") && !wantsPage(flags)) {
    const remedy = "Leave out --no-decisions, or add --html FILE.";
    wrong("needs_html", "--no-decisions: goes with --html or --figures", remedy);
  }
  if (
    flags.redact &&
    !wantsPage(flags) &&
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
  const files = outputFiles(flags);
  const places = files.map((file) => placeOf(file));
  const twice = files.find((_, index) => places.indexOf(places[index]!) < index);
  if (flags.figures !== undefined && places.includes(placeOf(flags.figures))) {
    wrong("same_file", `--figures ${flags.figures}: is to be a file too`, "Give the figures a folder of their own.");
  }
  if (twice !== undefined) wrong("same_file", `${twice}: would be written twice`, "Give each its own file.");
  const among = flags.figures === undefined ? undefined : files.find((file) => isFigureOf(flags.figures!, file));
  if (among !== undefined) {
    const remedy = "Give it another name, or another folder.";
    wrong("same_file", `${among}: is among the figures, which may have a file of this name`, remedy);
  }
  const read = flags.audits === undefined ? null : placeOf(flags.audits);
  for (const file of files) {
    if (placeOf(file) === read) {
      wrong("is_input", `${file}: is the audits file that the report is made from`, "Name another file to write.");
    }
  }
}

/** Refuses to write a report over what a workspace is made of, or among it; other files in its folder may be replaced. */
export function refuseOwnFiles(flags: PageFlags, { paths }: Pick<Workspace, "paths">): void {
  const own = Object.values(paths).map((path) => placeOf(path));
  for (const file of [...outputFiles(flags), ...(flags.figures === undefined ? [] : [flags.figures])]) {
    const path = placeOf(file);
    if (!own.some((one) => path === one || path.startsWith(`${one}${sep}`))) continue;
    const message = existsSync(file)
      ? "is a file of the workspace, which the report would replace"
      : "is where the workspace keeps its own files, and would be taken for one of them";
    wrong("is_workspace_file", `${file}: ${message}`, "Name another place.");
  }
}

function outputFiles({ html, jsonFile, mdFile }: PageFlags): string[] {
  return [html, jsonFile, mdFile].filter((file) => file !== undefined);
}

/** Whether a file has the name that a figure of a folder may get. */
function isFigureOf(folder: string, file: string): boolean {
  const place = placeOf(file);
  return dirname(place) === placeOf(folder) && extname(place).toLowerCase() === ".svg";
}

/** Links that are followed to a place where nothing is yet. */
const MOST_LINKS = 40;

/** Where a file is, or would be once it is written, by whatever name. */
function placeOf(path: string, links = 0): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    if (dirname(whole) === whole) return whole;
    const folder = placeOf(dirname(whole));
    const target = links < MOST_LINKS ? linkedTo(join(folder, basename(whole))) : null;
    return target === null ? join(folder, basename(whole)) : placeOf(resolve(folder, target), links + 1);
  }
}

/** Where a link leads; null where there is none. */
function linkedTo(path: string): string | null {
  try {
    return readlinkSync(path);
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
