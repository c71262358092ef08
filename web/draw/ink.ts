import type { Frame } from "./frame.ts";
import { inOrder } from "./marks/parts.ts";
import { type Box, crosses, type Spot, spotOf } from "./place-rows.ts";
import type { Plan, Point } from "./plan.ts";

/** How much of what is drawn a word in a box would lie on: a line weighs more than a point, which a halo does not cut in two. */
export type Ink = (box: Box, panel?: number) => number;

const LINE = 10;
/** More points than this are a cloud, in which nothing is free anyway. */
const MOST_POINTS = 2_000;

/** Lines and points of a picture, as obstacles for its words. Background does not count. */
export function inkOf(plan: Plan, frame: Frame): Ink {
  const spot = spotOf(plan, frame);
  const dots = plan.points.filter(({ series }) => !plan.series[series]?.faint).slice(0, MOST_POINTS);
  const spots = dots.map((point) => ({ panel: point.panel, ...spot(point) }));
  const lines = [
    ...(plan.figure.mark === "line" || plan.figure.mark === "area" ? pieces(plan.points) : []),
    ...pieces(plan.curve),
  ].map(({ panel, points }) => ({ panel, spots: points.map(spot) }));
  const pointed = plan.figure.mark === "point" ? spots : [];
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

/** Each unbroken line, in the order in which it is drawn. */
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
