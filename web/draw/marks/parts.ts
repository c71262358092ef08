import type { Frame } from "../frame.ts";
import type { Palette } from "../palette.ts";
import type { Plan, Point } from "../plan.ts";

/** What every mark is drawn from. */
export interface Drawing {
  plan: Plan;
  frame: Frame;
  palette: Palette;
}

/** Channels that put a point into its panel. */
export function panelChannels({ plan, frame }: Drawing) {
  if (plan.panels.length <= 1) return {};
  return {
    fx: ({ panel }: { panel: number }) => panel % frame.columns,
    fy: ({ panel }: { panel: number }) => Math.floor(panel / frame.columns),
  };
}

/** Channels of a mark at a point. */
export const pointChannels = (drawing: Drawing) => ({ ...panelChannels(drawing), x: "x", y: "y" }) as const;

/** Points of each series with its colour, in the order of the series; what is only ground comes first, under the others. */
export function bySeries({ plan, palette }: Drawing, points: readonly Point[] = plan.points) {
  return plan.series
    .map((series, i) => ({
      ...series,
      colour: palette[series.role],
      points: points.filter((point) => point.series === i),
    }))
    .sort((a, b) => Number(b.faint) - Number(a.faint));
}

/** Points in the order of the rows where that runs one way along x, as for a path; otherwise from left to right. */
export function inOrder(points: readonly Point[]): readonly Point[] {
  let rising = true;
  let falling = true;
  for (let i = 1; i < points.length; i++) {
    if (points[i]!.panel !== points[i - 1]!.panel || points[i]!.piece !== points[i - 1]!.piece) continue;
    if (points[i]!.x < points[i - 1]!.x) rising = false;
    if (points[i]!.x > points[i - 1]!.x) falling = false;
  }
  return rising || falling ? points : points.toSorted((a, b) => a.x - b.x);
}
