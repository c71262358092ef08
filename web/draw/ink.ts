import type { ChartLayout } from "./chart-layout.ts";
import type { ChartModel, Point } from "./chart-model.ts";
import { inOrder } from "./marks/parts.ts";
import { type Box, crosses, type Spot, spotOf } from "./place-rows.ts";

/** How much ink a label in a box would cover. A line counts more than a point, which a halo does not cut in two. */
export type Ink = (box: Box, panel?: number) => number;

const LINE = 10;
/** With more points than this, no place is free anyway. */
const MOST_POINTS = 2_000;

/** Lines and points of a chart, as obstacles for labels. Background is ignored. */
export function inkOf(model: ChartModel, layout: ChartLayout): Ink {
  const spot = spotOf(model, layout);
  const dots = model.points.filter(({ series }) => !model.series[series]?.faint).slice(0, MOST_POINTS);
  const spots = dots.map((point) => ({ panel: point.panel, ...spot(point) }));
  const lines = [
    ...(model.figure.mark === "line" || model.figure.mark === "area" ? pieces(model.points) : []),
    ...pieces(model.curve),
  ].map(({ panel, points }) => ({ panel, spots: points.map(spot) }));
  const pointed = model.figure.mark === "point" ? spots : [];
  return (box, panel) => {
    const here = (one: { panel: number }) => panel === undefined || one.panel === panel;
    const struck = lines.filter((line) => here(line) && runsThrough(box, line.spots)).length;
    const covered = pointed.filter(
      (one) =>
        here(one) && one.x > box.left - 3 && one.x < box.right + 3 && one.y > box.top - 3 && one.y < box.bottom + 3,
    ).length;
    return LINE * struck + covered;
  };
}

function runsThrough(box: Box, spots: readonly Spot[]): boolean {
  return spots.some((next, i) => i > 0 && crosses(box, spots[i - 1]!, next));
}

/** Each unbroken line, in drawing order. */
function pieces(points: readonly Point[]): { panel: number; points: readonly Point[] }[] {
  const lines = new Map<string, Point[]>();
  for (const point of points) {
    const key = `${point.panel} ${point.series} ${point.piece}`;
    const line = lines.get(key);
    if (line) line.push(point);
    else lines.set(key, [point]);
  }
  return [...lines.values()].map((line) => ({ panel: line[0]!.panel, points: inOrder(line) }));
}
