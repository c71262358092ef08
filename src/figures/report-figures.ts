import type { Figure } from "../domain/figure.js";
import { isMissing, type MaybeFigure } from "./missing.js";
import type { ReportPage } from "./report-page.js";

/** The figures of a report, each from a file of this room, in the order of the views. */
const BUILDERS: readonly ((page: ReportPage) => MaybeFigure)[] = [];

/** Every figure that this report's data allow: its own, and those of the workspace's experiments. */
export function reportFigures(page: ReportPage): Figure[] {
  const own = BUILDERS.map((build) => build(page)).filter((figure): figure is Figure => !isMissing(figure));
  const { stability, experiments = {} } = page.report;
  const experimental = [...(stability ? [stability] : []), ...Object.values(experiments)];
  return [...own, ...experimental.flatMap((experiment) => (experiment.figures ?? []) as Figure[])];
}
