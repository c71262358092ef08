import * as Plot from "@observablehq/plot";
import { bySeries, type Drawing, panelChannels } from "./parts.ts";

/** Intervals as thin lines, in the colour of the series, or in ink over bars. */
export function whiskers(drawing: Drawing): Plot.Markish[] {
  const { palette, plan } = drawing;
  const over = plan.figure.mark === "bar";
  const strokeOpacity = plan.points.length > 60 && !over ? 0.35 : 0.85;
  return bySeries(drawing).flatMap(({ points, colour }) => {
    const common = { ...panelChannels(drawing), stroke: over ? palette.ink : colour, strokeWidth: 1.5, strokeOpacity };
    return [
      Plot.ruleX(
        points.filter(({ ySpan }) => ySpan),
        { ...common, x: "x", y1: (point) => point.ySpan.lower, y2: (point) => point.ySpan.upper },
      ),
      Plot.ruleY(
        points.filter(({ xSpan }) => xSpan),
        { ...common, y: "y", x1: (point) => point.xSpan.lower, x2: (point) => point.xSpan.upper },
      ),
    ];
  });
}
