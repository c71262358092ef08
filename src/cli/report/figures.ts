import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Figure } from "../../core/figure.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { builtFile } from "../../io/package-file.js";
import type { ReportPage } from "../../measures/report-page.js";
import { reportFigures } from "../../present/figures/report-figures.js";
import { plural } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import { say } from "../output.js";

interface Drawing {
  figureSvg: (figure: Figure, width?: number) => string;
}

/** How files of figures begin, also those that the page saves and those of earlier versions. */
const OWN = /^\s*<svg\b[^>]*\sclass="drawing"/;

/** Refuses a folder in which a file that is no figure of ours has the name of one: found out before anything is written. */
export function refuseForeignFigures(page: ReportPage, directory: string): void {
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

/** Writes every figure of a report as DIR/<id>.svg; `refuseForeignFigures` goes before. Other files there are left alone. */
export async function writeReportFigures(page: ReportPage, directory: string): Promise<void> {
  const figures = reportFigures(page);
  const { figureSvg } = await drawing();
  mkdirSync(directory, { recursive: true });
  for (const [name, figure] of fileNames(figures)) {
    writeFileAtomic(join(directory, `${name}.svg`), figureSvg(figure));
  }
  say(`Wrote ${plural(figures.length, "figure")} to ${printable(directory)}`);
}

/** Writes single figures: a file has the name of the figure in it. */
export async function writeNamedFigures(page: ReportPage, files: readonly string[]): Promise<void> {
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
  // Made from `web/draw`, with everything that it needs inside.
  return import(builtFile("draw-files.js").href);
}

/** Files are named after the figures' ids, made of letters that every file system takes; a second figure of one id gets a number. */
function fileNames(figures: readonly Figure[]): [string, Figure][] {
  const times = new Map<string, number>();
  return figures.map((figure) => {
    const id = figure.id.replace(/[^a-z0-9-]+/g, "-");
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    return [time === 1 ? id : `${id}-${time}`, figure];
  });
}
