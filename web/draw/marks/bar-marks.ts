import * as Plot from "@observablehq/plot";
import { stackBases } from "../place-rows.ts";
import type { Point } from "../plan.ts";
import { barHalf } from "../scale.ts";
import { bySeries, type Drawing, panelChannels } from "./parts.ts";
import { whiskers } from "./whiskers.ts";

/** Bars from zero, upright or lying, side by side or stacked, with their intervals. */
export function barMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, palette } = drawing;
  const { horizontal, stacked } = plan;
  const half = barHalf(plan);
  const below = stacked ? stackBases(plan.points, horizontal) : new Map<Point, number>();
  const from = (point: Point) => below.get(point) ?? 0;
  const common = panelChannels(drawing);
  const bars = bySeries(drawing).map(({ points, colour, tint }) =>
    Plot.rect(points, {
      ...common,
      ...(horizontal
        ? {
            x1: from,
            x2: (point: Point) => from(point) + point.x,
            y1: (point: Point) => point.y - half,
            y2: (point: Point) => point.y + half,
          }
        : {
            x1: (point: Point) => point.x - half,
            x2: (point: Point) => point.x + half,
            y1: from,
            y2: (point: Point) => from(point) + point.y,
          }),
      fill: colour,
      fillOpacity: 0.88 * tint,
      ...(tint < 1 && { stroke: colour, strokeWidth: 1 }),
    }),
  );
  const zero = { stroke: palette.muted, strokeWidth: 1 };
  return [...bars, horizontal ? Plot.ruleX([0], zero) : Plot.ruleY([0], zero), ...whiskers(drawing)];
}
