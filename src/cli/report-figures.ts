import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "../domain/figure.js";
import { plural } from "../figures/numbers.js";
import { printable } from "../figures/printable.js";
import { reportFigures } from "../figures/report-figures.js";
import type { ReportPage } from "../figures/report-page.js";
import { writeFileAtomic } from "../ledger/files.js";
import { notBuilt } from "../reports/page/not-built.js";
import { say } from "./output.js";

/** Made by `npm run build` from `web/draw`, with everything that it needs inside. */
const DRAWING = new URL("../web/draw-files.js", import.meta.url);

interface Drawing {
  figureSvg: (figure: Figure, width?: number) => string;
}

/** Writes every figure of a report as DIR/<id>.svg. Other files there are left alone. */
export async function writeReportFigures(page: ReportPage, directory: string): Promise<void> {
  const figures = reportFigures(page);
  const { figureSvg } = await drawing();
  mkdirSync(directory, { recursive: true });
  for (const [name, figure] of fileNames(figures)) {
    writeFileAtomic(join(directory, `${name}.svg`), figureSvg(figure));
  }
  say(`Wrote ${plural(figures.length, "figure")} to ${printable(directory)}`);
}

async function drawing(): Promise<Drawing> {
  if (!existsSync(DRAWING)) throw notBuilt(DRAWING);
  return import(DRAWING.href);
}

/** Files are named after the figures' ids, made of letters that every file system takes; a second figure of one id gets a number. */
export function fileNames(figures: readonly Figure[]): [string, Figure][] {
  const times = new Map<string, number>();
  return figures.map((figure) => {
    const id = figure.id.replace(/[^a-z0-9-]+/g, "-");
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    return [time === 1 ? id : `${id}-${time}`, figure];
  });
}
