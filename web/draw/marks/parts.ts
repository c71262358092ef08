import type { ChartLayout } from "../chart-layout.ts";
import type { ChartModel, Point } from "../chart-model.ts";
import type { Palette } from "../palette.ts";

export interface Drawing {
  model: ChartModel;
  layout: ChartLayout;
  palette: Palette;
}

export function panelChannels({ model, layout }: Drawing) {
  if (model.panels.length <= 1) return {};
  return {
    fx: ({ panel }: { panel: number }) => panel % layout.columns,
    fy: ({ panel }: { panel: number }) => Math.floor(panel / layout.columns),
  };
}

export const pointChannels = (drawing: Drawing) => ({ ...panelChannels(drawing), x: "x", y: "y" }) as const;

/** Points of each series with its colour, in order; background series first, below the others. */
export function bySeries({ model, palette }: Drawing, points: readonly Point[] = model.points) {
  return model.series
    .map((series, i) => ({
      ...series,
      colour: palette[series.role],
      points: points.filter((point) => point.series === i),
    }))
    .sort((a, b) => Number(b.faint) - Number(a.faint));
}

/** Points in row order if that is monotonic along x, as for a path; otherwise from left to right. */
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
