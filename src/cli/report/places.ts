import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { fileError } from "../../io/files.js";

/** Refuses a path to which no page can be written. */
export function checkHtml(path: string): void {
  const remedy = "Name a file to open in a browser: --html report.html.";
  if (path.trim() === "") wrong("no_file", "--html: the name of the file is empty", remedy);
  if (path === "-") wrong("not_a_file", "--html -: a page is not written to the terminal", remedy);
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) wrong("not_a_file", `--html ${path}: is a folder`, remedy);
    if (there && !there.isFile()) wrong("not_a_file", `--html ${path}: is no file that could be replaced`, remedy);
    // The file is written next to its target (after resolving links) and then moved there.
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

/** Whether a file begins like an HTML page. A report may replace an older one; any other file was named by mistake. */
function isHtml(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(64);
    return /^\ufeff?\s*<(?:!doctype html|html)\b/i.test(start.toString("utf8", 0, readSync(file, start)));
  } finally {
    closeSync(file);
  }
}

/** Refuses a path that cannot be a folder of figures. */
export function checkFolder(path: string): void {
  const remedy = "Name a folder, which need not exist: --figures figures.";
  if (path.trim() === "") wrong("no_folder", "--figures: the name of the folder is empty", remedy);
  if (path === "-") wrong("not_a_folder", "--figures -: figures are not written to the terminal", remedy);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) wrong("not_a_folder", `--figures ${path}: is a file`, remedy);
}

function wrong(code: string, message: string, remedy: string): never {
  throw new InputError(code, message, remedy);
}
