import * as Plot from "@observablehq/plot";
import type { Figure } from "../../../src/core/figure.js";
import { LABEL_SIZE } from "../label-places.ts";
import { referencePlaces } from "../reference-places.ts";
import { safeText } from "../value-text.ts";
import type { Drawing } from "./parts.ts";

type Zone = NonNullable<Figure["zone"]>;

/** The shaded area with a meaning, under everything. */
export function zoneMarks({ model, layout, palette }: Drawing): Plot.Markish[] {
  const { zone } = model.figure;
  if (!zone) return [];
  const [x1, x2] = inside(zone.x, layout.x.domain);
  const [y1, y2] = inside(zone.y, layout.y.domain);
  return [Plot.rect([0], { x1: [x1], x2: [x2], y1: [y1], y2: [y2], fill: palette.zone })];
}

/** Dashed lines that the points are held against, each with its name. */
export function referenceMarks({ model, layout, palette }: Drawing): Plot.Markish[] {
  const line = { stroke: palette.muted, strokeWidth: 1, strokeDasharray: "4 4" };
  return (model.figure.references ?? []).flatMap(({ axis, value }) => {
    if (axis === "x") return [Plot.ruleX([value], line)];
    if (axis === "y") return [Plot.ruleY([value], line)];
    const [from, to] = diagonal(layout, value);
    return to > from ? [Plot.line([from, to], { x: [from, to], y: [from + value, to + value], ...line })] : [];
  });
}

/** Names of lines and zone, over everything, with a halo. */
export function referenceLabels({ model, layout, palette }: Drawing): Plot.Markish[] {
  const halo = { fill: palette.muted, stroke: palette.paper, strokeWidth: 4, fontSize: LABEL_SIZE } as const;
  const { zone } = model.figure;
  const places = referencePlaces(model, layout);
  const marks: Plot.Markish[] = (model.figure.references ?? []).flatMap(({ axis, value, label }, i) => {
    const text = [safeText(label, 80)];
    if (axis !== "diagonal") return [Plot.text([0], { ...halo, text, [axis]: [value], ...places[i]! })];
    const [from, to] = diagonal(layout, value);
    if (to <= from) return [];
    // Not at its upper end: points crowd there.
    const at = from + 0.16 * (to - from);
    return [Plot.text([0], { ...halo, text, x: [at], y: [at + value], textAnchor: "start", dx: 10, dy: 8 })];
  });
  if (zone) marks.push(Plot.text([0], { ...halo, ...zoneLabel(zone, layout) }));
  return marks;
}

/** In the zone's upper corner, or next to a zone too narrow for it. */
function zoneLabel(zone: Zone, layout: Drawing["layout"]) {
  const [x1, x2] = inside(zone.x, layout.x.domain);
  const [y1, y2] = inside(zone.y, layout.y.domain);
  const text = [safeText(zone.label, 80)];
  const wide = Math.abs(position(x2, layout.x.domain) - position(x1, layout.x.domain));
  if (wide < 0.2 && position(x1, layout.x.domain) > 0.5) {
    return { text, x: [x1], y: [(y1 + y2) / 2], textAnchor: "end", dx: -6 } as const;
  }
  return { text, x: [x1], y: [y2], textAnchor: "start", lineAnchor: "top", dx: 6, dy: 6 } as const;
}

/** Where y = x + value begins and ends along x. */
function diagonal({ x, y }: Drawing["layout"], value: number): [number, number] {
  return [Math.max(x.domain[0], y.domain[0] - value), Math.min(x.domain[1], y.domain[1] - value)];
}

function position(value: number, [from, to]: readonly [number, number]): number {
  return to === from ? 0 : (value - from) / (to - from);
}

function inside([from, to]: readonly [number, number], domain: readonly [number, number]): [number, number] {
  const [least, most] = [Math.min(...domain), Math.max(...domain)];
  return [Math.max(from, least), Math.min(to, most)];
}
