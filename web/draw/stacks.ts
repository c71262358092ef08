import type { Point } from "./plan.ts";

const placeOf = ({ panel, x, y }: Point, horizontal: boolean) => `${panel} ${horizontal ? y : x}`;
const amountOf = ({ x, y }: Point, horizontal: boolean) => (horizontal ? x : y);

/** Sums of the values at each place. */
export function stackSums(points: readonly Point[], horizontal: boolean): number[] {
  const sums = new Map<string, number>();
  for (const point of points) {
    const key = placeOf(point, horizontal);
    sums.set(key, (sums.get(key) ?? 0) + amountOf(point, horizontal));
  }
  return [...sums.values()];
}

/** Where each bar of a stack begins, in the order of the series. */
export function stackBases(points: readonly Point[], horizontal: boolean): Map<Point, number> {
  const sums = new Map<string, number>();
  const bases = new Map<Point, number>();
  for (const point of points.toSorted((a, b) => a.series - b.series)) {
    const key = placeOf(point, horizontal);
    const base = sums.get(key) ?? 0;
    bases.set(point, base);
    sums.set(key, base + amountOf(point, horizontal));
  }
  return bases;
}

/** Whether the bars of each place are parts of one whole: several series, none with an interval, that add up to 1 everywhere. */
export function addUpToWholes(points: readonly Point[], horizontal: boolean): boolean {
  if (points.some(({ xSpan, ySpan }) => xSpan ?? ySpan)) return false;
  if (new Set(points.map(({ series }) => series)).size < 2) return false;
  return stackSums(points, horizontal).every((sum) => Math.abs(sum - 1) < 1e-6);
}
