import * as Plot from "@observablehq/plot";
import { largestSize, radiusOf } from "../legend.ts";
import type { Point } from "../plan.ts";
import { bySeries, type Drawing, panelChannels } from "./parts.ts";
import { whiskers } from "./whiskers.ts";

/** Points, each series with its own colour and shape; the largest first, so that none is hidden. */
export function pointMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, palette } = drawing;
  const largest = plan.figure.size ? largestSize(plan) : 0;
  const many = plan.points.length > 250;
  const radius = (point: Point) => (largest > 0 ? radiusOf(point.size, largest) : many ? 3 : 4.5);
  return [
    ...whiskers(drawing),
    ...bySeries(drawing).map(({ points, colour, shape, faint }) =>
      Plot.dot(largest > 0 ? points.toSorted((a, b) => b.size - a.size) : points, {
        ...panelChannels(drawing),
        x: "x",
        y: "y",
        r: { value: faint ? () => 2.5 : radius, scale: null },
        symbol: shape,
        fill: colour,
        fillOpacity: faint ? 0.3 : many ? 0.55 : largest > 0 ? 0.65 : 0.9,
        stroke: palette.paper,
        strokeWidth: 0.75,
      }),
    ),
  ];
}
