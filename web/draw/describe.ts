import { plural } from "../../src/present/words/numbers.js";
import { chosenText } from "./chart-layout.ts";
import type { ChartModel } from "./chart-model.ts";
import { safeText, valueText } from "./value-text.ts";

const KINDS = {
  point: "Points",
  line: "Lines",
  bar: "Bars",
  area: "Areas",
  cell: "A table of shaded cells",
} as const;

/** A description for readers who cannot see the chart: kind, axes, series and ranges. */
export function describePlan(model: ChartModel): string {
  const { figure, series, panels, points, notes } = model;
  const parts = [`${KINDS[figure.mark]} of ${model.y.label} by ${model.x.label}`];
  if (panels.length > 1) parts.push(`${panels.length} panels: ${list(panels)}`);
  if (series.length > 1) parts.push(`Series: ${list(series.map(({ name }) => name))}`);
  if (Object.keys(model.chosen).length > 0) parts.push(`Shown: ${chosenText(model)}`);
  parts.push(`${plural(points.length, "row")} drawn`);
  for (const which of ["x", "y"] as const) {
    const { kind, spec, label } = model[which];
    if (kind !== "number" || points.length === 0) continue;
    const values = points.map(({ row }) => Number(row[spec.field]));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    parts.push(`${label} from ${valueText(spec, least)} to ${valueText(spec, most)}`);
  }
  const references = (figure.references ?? []).map((line) => safeText(line.label, 80));
  if (references.length > 0) parts.push(`Dashed: ${list(references)}`);
  return [`${parts.join(". ")}.`, ...notes].join(" ");
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(", ");
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown;
}
