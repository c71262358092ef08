import * as Plot from "@observablehq/plot";
import { bySeries, type Drawing, inOrder, panelChannels } from "./parts.ts";
import { whiskers } from "./whiskers.ts";

/** Points of a line are marked while there are few; their shapes tell the series apart as the dashes do. */
const FEW = 16;

/** Lines, or areas from zero, with their intervals as bands. */
export function lineMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, palette } = drawing;
  const common = panelChannels(drawing);
  const marks: Plot.Markish[] = [];
  const lines = bySeries(drawing).map((series) => ({ ...series, points: inOrder(series.points) }));
  for (const { points, colour } of lines) {
    const banded = points.filter(({ ySpan }) => ySpan);
    if (banded.length > 2) {
      marks.push(
        Plot.areaY(banded, {
          ...common,
          x: "x",
          y1: (point) => point.ySpan.lower,
          y2: (point) => point.ySpan.upper,
          z: "piece",
          fill: colour,
          fillOpacity: 0.14,
        }),
      );
    } else marks.push(...whiskers({ ...drawing, plan: { ...plan, points: banded } }));
    if (plan.figure.mark === "area") {
      marks.push(
        Plot.areaY(points, { ...common, x: "x", y1: 0, y2: "y", z: "piece", fill: colour, fillOpacity: 0.16 }),
      );
    }
  }
  for (const { points, colour, dash, shape } of lines) {
    marks.push(
      Plot.line(points, {
        ...common,
        x: "x",
        y: "y",
        z: "piece",
        stroke: colour,
        strokeWidth: 2,
        ...(dash && { strokeDasharray: dash }),
      }),
    );
    if (points.length <= FEW * plan.panels.length) {
      marks.push(
        Plot.dot(points, { ...common, x: "x", y: "y", r: 4, symbol: shape, fill: colour, stroke: palette.paper }),
      );
    }
  }
  return marks;
}
