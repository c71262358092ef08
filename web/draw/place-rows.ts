import type { Figure, FigureRow } from "../../src/core/figure.js";
import type { Axis } from "./axis.ts";
import { type ChartLayout, panelSize } from "./chart-layout.ts";
import type { ChartModel, Point, Span } from "./chart-model.ts";
import type { Scale } from "./scale.ts";
import { type Cell, safeText } from "./value-text.ts";

interface Places {
  figure: Figure;
  x: Axis;
  y: Axis;
  series: readonly Cell[];
  panels: readonly Cell[];
}

/** Rows not drawn, by reason: undefined value, no room for the name, point outside the axes. */
export interface Undrawn {
  undefined: number;
  room: number;
  outside: number;
}

/** Most points whose interval crosses are readable. */
const MOST_CROSSES = 40;

/** Rows as points, and how many are not drawn. */
export function placeRows(rows: readonly FigureRow[], places: Places): { points: Point[]; undrawn: Undrawn } {
  const { figure, x, y, series, panels } = places;
  const [xInterval, yInterval] = crossed(figure, x, y, rows.length) ? [false, false] : intervalAxes(figure, x, y);
  const points: Point[] = [];
  const undrawn: Undrawn = { undefined: 0, room: 0, outside: 0 };
  const pieces = new Map<string, number>();
  for (const row of rows) {
    const panel = figure.facet ? panels.indexOf(row[figure.facet] ?? null) : 0;
    const seriesAt = series.length === 1 ? 0 : series.indexOf(row[figure.series ?? ""] ?? null);
    const line = `${panel} ${seriesAt}`;
    const [atX, atY] = [x.at(row[x.spec.field] ?? null), y.at(row[y.spec.field] ?? null)];
    const why =
      noRoom(x, row) || noRoom(y, row) || panel < 0
        ? "room"
        : isOutside(x, atX) || isOutside(y, atY)
          ? "outside"
          : "undefined";
    if (atX === null || atY === null || why !== "undefined") {
      undrawn[why] += 1;
      pieces.set(line, (pieces.get(line) ?? 0) + 1);
      continue;
    }
    const label = figure.label ? row[figure.label] : null;
    points.push({
      row,
      x: atX,
      y: atY,
      xSpan: xInterval ? spanOf(row, x) : null,
      ySpan: yInterval ? spanOf(row, y) : null,
      series: seriesAt,
      panel,
      piece: pieces.get(line) ?? 0,
      size: Math.max(0, Number(figure.size ? (row[figure.size.field] ?? 0) : 0)),
      label: label === null || label === undefined ? null : safeText(String(label), 60),
    });
  }
  return { points, undrawn };
}

/** Whether a row's name had no room. */
function noRoom(axis: Axis, row: FigureRow): boolean {
  const value = row[axis.spec.field] ?? null;
  return axis.kind === "category" && value !== null && axis.at(value) === null;
}

function isOutside({ spec, kind }: Axis, at: number | null): boolean {
  if (at === null || kind !== "number" || !spec.domain) return false;
  return at < spec.domain[0] || at > spec.domain[1];
}

/** Whether the intervals of x and y are drawn: as requested, else only that of the number axis (y if both are numbers). */
function intervalAxes({ interval, mark }: Figure, x: Axis, y: Axis): [boolean, boolean] {
  if (mark === "cell" || interval === "none") return [false, false];
  if (interval) return [interval !== "y", interval !== "x"];
  return [x.kind === "number" && y.kind !== "number", y.kind === "number"];
}

/** Whether both intervals are requested for too many points; pointer and data then show them. */
export function crossed(figure: Figure, x: Axis, y: Axis, count: number): boolean {
  const [xInterval, yInterval] = intervalAxes(figure, x, y);
  return xInterval && yInterval && count > MOST_CROSSES;
}

function spanOf(row: FigureRow, { spec, kind }: Axis): Span | null {
  if (kind !== "number") return null;
  const lower = row[`${spec.field}_lower`] ?? row.lower;
  const upper = row[`${spec.field}_upper`] ?? row.upper;
  if (typeof lower !== "number" || typeof upper !== "number") return null;
  const [least, most] = spec.domain ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return { lower: Math.max(lower, least), upper: Math.min(upper, most) };
}

/** Share of a category's width that its marks take. */
export const BAND = 0.78;
const CLOSE = 0.14;

/**
 * Spreads the points of one category: series side by side, and many points of one series (say, one per case) over the category's width by the golden
 * ratio, which is even and not random. Returns the width of a series' slot; 0 if nothing was moved.
 */
export function spreadPoints({ figure, x, y, series, points, stacked, horizontal }: Omit<ChartModel, "notes">): number {
  const along = horizontal ? "y" : "x";
  const axis = horizontal ? y : x;
  if (figure.mark === "cell" || figure.mark === "line" || figure.mark === "area") return 0;
  if (axis.kind === "number" && figure.mark !== "bar") return 0;
  const shared = !stacked && sharesPlaces(points, along);
  const slots = shared ? series.length : 1;
  const crowded = figure.mark === "point" ? crowdedPlaces(points, along) : new Set<string>();
  const room = (BAND * axis.step) / slots;
  // Single points of one category stay close, so that they read as a group.
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

const placeOf = ({ panel, x, y }: Point, horizontal: boolean) => `${panel} ${horizontal ? y : x}`;
const amountOf = ({ x, y }: Point, horizontal: boolean) => (horizontal ? x : y);

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

/** Whether the bars at each place are parts of a whole: several series without intervals that add up to 1 everywhere. */
export function addUpToWholes(points: readonly Point[], horizontal: boolean): boolean {
  if (points.some(({ xSpan, ySpan }) => xSpan ?? ySpan)) return false;
  if (new Set(points.map(({ series }) => series)).size < 2) return false;
  return stackSums(points, horizontal).every((sum) => Math.abs(sum - 1) < 1e-6);
}

/** A rectangle in pixels from the corner of its panel. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Spot {
  x: number;
  y: number;
}

/** Margin of points at the edge: Plot's inset of a scatter's number axes. */
const INSET = 7;

/** Position of a value in its panel, in pixels. */
export function spotOf({ figure, x, y }: ChartModel, layout: ChartLayout): (point: Pick<Point, "x" | "y">) => Spot {
  const { width, height } = panelSize(layout);
  const inset = (kind: string) => (figure.mark === "point" && kind === "number" ? INSET : 0);
  const [left, top] = [inset(x.kind), inset(y.kind)];
  return (point) => ({
    x: left + along(layout.x, point.x) * (width - 2 * left),
    y: top + (1 - along(layout.y, point.y)) * (height - 2 * top),
  });
}

/** Relative position of a value along an axis, from 0 to 1. */
function along({ type, domain: [from, to] }: Scale, value: number): number {
  const turned = (number: number) => (type === "log" ? Math.log(number) : type === "sqrt" ? Math.sqrt(number) : number);
  return to === from ? 0 : (turned(value) - turned(from)) / (turned(to) - turned(from));
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether the line between two spots crosses a box. */
export function crosses(box: Box, a: Spot, b: Spot): boolean {
  // Liang–Barsky: clips the segment to each pair of sides in turn.
  let [from, to] = [0, 1];
  for (const [start, step, least, most] of [
    [a.x, b.x - a.x, box.left, box.right],
    [a.y, b.y - a.y, box.top, box.bottom],
  ] as const) {
    if (step === 0) {
      if (start <= least || start >= most) return false;
      continue;
    }
    const [first, second] = [(least - start) / step, (most - start) / step];
    from = Math.max(from, Math.min(first, second));
    to = Math.min(to, Math.max(first, second));
    if (from >= to) return false;
  }
  return true;
}
