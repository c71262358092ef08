import * as Plot from "@observablehq/plot";
import { LABEL_SIZE } from "../label-places.ts";
import { inside, referencePlaces, zoneLabel } from "../reference-places.ts";
import { safeText } from "../value-text.ts";
import type { Drawing } from "./parts.ts";

/** The labelled shaded area, below everything. */
export function zoneMarks({ model, layout, palette }: Drawing): Plot.Markish[] {
  const { zone } = model.figure;
  if (!zone) return [];
  const [x1, x2] = inside(zone.x, layout.x.domain);
  const [y1, y2] = inside(zone.y, layout.y.domain);
  return [Plot.rect([0], { x1: [x1], x2: [x2], y1: [y1], y2: [y2], fill: palette.zone })];
}

/** Dashed reference lines. */
export function referenceMarks({ model, layout, palette }: Drawing): Plot.Markish[] {
  const line = { stroke: palette.muted, strokeWidth: 1, strokeDasharray: "4 4" };
  return (model.figure.references ?? []).flatMap(({ axis, value }) => {
    if (axis === "x") return [Plot.ruleX([value], line)];
    if (axis === "y") return [Plot.ruleY([value], line)];
    const [from, to] = diagonal(layout, value);
    return to > from ? [Plot.line([from, to], { x: [from, to], y: [from + value, to + value], ...line })] : [];
  });
}

/** Names of lines and zone, above everything, with a halo. */
export function referenceLabels({ model, layout, palette }: Drawing): Plot.Markish[] {
  const halo = { fill: palette.muted, stroke: palette.paper, strokeWidth: 4, fontSize: LABEL_SIZE } as const;
  const { zone } = model.figure;
  const places = referencePlaces(model, layout);
  const marks: Plot.Markish[] = (model.figure.references ?? []).flatMap(({ axis, value, label }, i) => {
    const text = [safeText(label, 80)];
    if (axis !== "diagonal") return [Plot.text([0], { ...halo, text, [axis]: [value], ...places[i]! })];
    const [from, to] = diagonal(layout, value);
    if (to <= from) return [];
    // Not at its upper end, where points crowd.
    const at = from + 0.16 * (to - from);
    return [Plot.text([0], { ...halo, text, x: [at], y: [at + value], textAnchor: "start", dx: 10, dy: 8 })];
  });
  if (zone) marks.push(Plot.text([0], { ...halo, ...zoneLabel(zone, layout) }));
  return marks;
}

/** Where y = x + value begins and ends along x. */
function diagonal({ x, y }: Drawing["layout"], value: number): [number, number] {
  return [Math.max(x.domain[0], y.domain[0] - value), Math.min(x.domain[1], y.domain[1] - value)];
}
