import * as Plot from "@observablehq/plot";
import { stackBases } from "../place-rows.ts";
import type { Point } from "../plan.ts";
import { tipText } from "../value-text.ts";
import { type Drawing, panelChannels } from "./parts.ts";

/** What the row at the pointer says, in words and numbers. */
export function tipMark(drawing: Drawing): Plot.Markish {
  const { plan, palette } = drawing;
  const { horizontal, stacked, points } = plan;
  const bases = stacked ? stackBases(points, horizontal) : null;
  // A part of a stack is pointed at in its middle.
  const along = (which: "x" | "y") => (point: Point) => {
    const isValue = which === (horizontal ? "x" : "y");
    return bases && isValue ? (bases.get(point) ?? 0) + point[which] / 2 : point[which];
  };
  const channels = {
    ...panelChannels(drawing),
    x: along("x"),
    y: along("y"),
    title: ({ row }: Point) => tipText(plan.figure, row),
  };
  return Plot.tip(points, {
    ...(nearest(drawing)(channels) as Plot.TipOptions),
    fill: palette.paper,
    stroke: palette.muted,
    fontSize: 12,
    lineHeight: 1.35,
    lineWidth: 34,
  });
}

/** Bars and lines are found by their place along the axis, points by their distance. */
function nearest({ plan: { horizontal, figure } }: Drawing) {
  if (horizontal) return Plot.pointerY;
  return figure.mark === "point" || figure.mark === "cell" ? Plot.pointer : Plot.pointerX;
}
