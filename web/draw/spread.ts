import type { Plan, Point } from "./plan.ts";

/** Share of a category's place that its marks take. */
export const BAND = 0.78;
const CLOSE = 0.14;

/**
 * Moves the points of one category apart: series side by side, and many points of one series at one place (a case each, say) over the
 * width of the place, by the golden ratio, which is even and not random. Returns the width of a series' slot, 0 where nothing was moved.
 */
export function spreadPoints({ figure, x, y, series, points, stacked, horizontal }: Omit<Plan, "notes">): number {
  const along = horizontal ? "y" : "x";
  const axis = horizontal ? y : x;
  if (figure.mark === "cell" || figure.mark === "line" || figure.mark === "area") return 0;
  if (axis.kind === "number" && figure.mark !== "bar") return 0;
  const shared = !stacked && sharesPlaces(points, along);
  const slots = shared ? series.length : 1;
  const crowded = figure.mark === "point" ? crowdedPlaces(points, along) : new Set<string>();
  const room = (BAND * axis.step) / slots;
  // Single points of one category stand close together, so that they are seen as a group.
  const slot = figure.mark === "point" && crowded.size === 0 && !horizontal ? Math.min(room, CLOSE) : room;
  const seen = new Map<string, number>();
  for (const point of points) {
    const key = placeKey(point, along);
    const centre = shared ? (point.series - (slots - 1) / 2) * slot : 0;
    const k = seen.get(key) ?? 0;
    seen.set(key, k + 1);
    const scatter = crowded.has(key) ? (((k + 0.5) * 0.618034) % 1) - 0.5 : 0;
    point[along] += centre + 0.8 * scatter * slot;
  }
  return slot;
}

const placeKey = (point: Point, along: "x" | "y") => `${point.panel} ${point.series} ${point[along]}`;

function sharesPlaces(points: readonly Point[], along: "x" | "y"): boolean {
  const first = new Map<string, number>();
  return points.some((point) => {
    const key = `${point.panel} ${point[along]}`;
    const series = first.get(key);
    if (series === undefined) first.set(key, point.series);
    return series !== undefined && series !== point.series;
  });
}

function crowdedPlaces(points: readonly Point[], along: "x" | "y"): Set<string> {
  const counts = new Map<string, number>();
  for (const point of points) {
    const key = placeKey(point, along);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > 1).map(([key]) => key));
}
