import { dirname, extname } from "node:path";
import { InputError } from "../../core/errors.js";
import { outputPlace } from "../../io/files.js";
import { checkFolder, checkHtml } from "./places.js";

/** Default number of decisions listed on a page. */
export const DEFAULT_DECISIONS = 2_000;

/** Maximum number of listed decisions: more do not fit into a file that can be mailed, however short they are. */
export const MOST_DECISIONS = 5_000;

/** Flags of `report` for what is written, and how much of it. */
export interface PageFlags {
  html?: string;
  figures?: string;
  /** Individual figures; each file is named after its figure. */
  figureFiles?: string[];
  json?: boolean;
  jsonFile?: string;
  md?: boolean;
  mdFile?: string;
  redact?: boolean;
  /** The source: an audits file, or a run of a workspace. */
  audits?: string;
  actions?: object;
  workspace?: string;
  run?: string;
  cohort?: string;
  against?: string;
  /** Rows of the text tables. */
  rows?: number;
  /** False: `--no-decisions`. */
  decisions: number | false;
  /** Whether `--decisions` and `--no-decisions` were given; `decisions` has the value of the last one. */
  listed?: boolean;
  leftOut?: boolean;
}

/** Whether page data are needed, for the page itself or its figures. */
export function wantsPage({ html, figures, figureFiles }: PageFlags): boolean {
  return html !== undefined || figures !== undefined || figureFiles !== undefined;
}

/** Whether the report is also written as text. */
function printsTables(flags: PageFlags): boolean {
  const { json, jsonFile, md, mdFile } = flags;
  return md === true || mdFile !== undefined || !(wantsPage(flags) || json || jsonFile !== undefined);
}

/** Checks flags that depend on each other, and files that could not be written, before the work starts. */
export function checkPageFlags(flags: PageFlags, given: (name: keyof PageFlags) => boolean): void {
  if (flags.listed && flags.leftOut) {
    const remedy = "Leave one of them out: the first leaves single decisions out, the second lists some.";
    wrong("contradiction", "--no-decisions: cannot be used with --decisions", remedy);
  }
  if (flags.json && flags.md) {
    const remedy = "Write one of them to a file: --json=FILE or --md=FILE.";
    wrong("one_stdout", "--json: cannot be used with --md, since both would be printed", remedy);
  }
  if (flags.audits !== undefined && flags.workspace !== undefined) {
    const remedy = "Leave out --workspace, or --audits to report on a run of the workspace.";
    wrong("contradiction", "--workspace: cannot be used with --audits, which is read without one", remedy);
  }
  checkSource(flags);
  if (given("rows") && !printsTables(flags)) {
    const remedy = "Leave it out: pages, figures and JSON have every row.";
    wrong("needs_tables", "--rows: requires tables in the terminal or in Markdown", remedy);
  }
  if (given("decisions") && flags.decisions !== false && flags.html === undefined) {
    wrong("needs_html", "--decisions: requires --html", "Leave out --decisions, or add --html FILE.");
  }
  if (given("decisions") && !wantsPage(flags)) {
    const remedy = "Leave out --no-decisions, or add --html FILE.";
    wrong("needs_html", "--no-decisions: requires --html or --figures", remedy);
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
    wrong("needs_output", "--redact: requires --html, --figures, --json or --md", remedy);
  }
  if (flags.html !== undefined) checkHtml(flags.html);
  if (flags.figures !== undefined) checkFolder(flags.figures);
  const files = outputFiles(flags);
  const places = files.map((file) => outputPlace(file));
  const twice = files.find((_, index) => places.indexOf(places[index]!) < index);
  if (flags.figures !== undefined && places.includes(outputPlace(flags.figures))) {
    wrong("same_file", `--figures ${flags.figures}: is to be a file too`, "Give the figures a folder of their own.");
  }
  if (twice !== undefined) wrong("same_file", `${twice}: would be written twice`, "Give each its own file.");
  const among = flags.figures === undefined ? undefined : files.find((file) => isFigureOf(flags.figures!, file));
  if (among !== undefined) {
    const remedy = "Give it another name, or another folder.";
    wrong("same_file", `${among}: is among the figures, which may have a file of this name`, remedy);
  }
  const read = flags.audits === undefined ? null : outputPlace(flags.audits);
  for (const file of files) {
    if (outputPlace(file) === read) {
      wrong("is_input", `${file}: is the audits file that the report is made from`, "Name another file to write.");
    }
  }
}

/** A file has only its audits; a run knows its own actions. */
function checkSource({ audits, actions, against, cohort, run }: PageFlags): void {
  if (audits === undefined) {
    const remedy = "A run knows its own actions; leave out the flag.";
    if (actions) wrong("needs_audits", "--actions: requires --audits", remedy);
    return;
  }
  const flag = against ? "--against" : cohort ? "--cohort" : run ? "--run" : null;
  if (!flag) return;
  wrong("needs_workspace", `${flag}: needs a workspace; got --audits`, `Leave out ${flag}, or report on a run.`);
}

function outputFiles({ html, jsonFile, mdFile, figureFiles = [] }: PageFlags): string[] {
  return [html, jsonFile, mdFile, ...figureFiles].filter((file) => file !== undefined);
}

/** Whether a file could have the name of a figure written to the folder. */
function isFigureOf(folder: string, file: string): boolean {
  const place = outputPlace(file);
  return dirname(place) === outputPlace(folder) && extname(place).toLowerCase() === ".svg";
}

function wrong(code: string, message: string, remedy: string): never {
  throw new InputError(code, message, remedy);
}
