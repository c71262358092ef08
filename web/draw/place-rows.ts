import type { Figure, FigureRow } from "../../src/core/figure.js";
import type { Axis } from "./axis.ts";
import type { Point, Span } from "./plan.ts";
import { type Cell, safeText } from "./value-name.ts";

interface Places {
  figure: Figure;
  x: Axis;
  y: Axis;
  series: readonly Cell[];
  panels: readonly Cell[];
}

/** How many rows are not drawn, by why: a value is undefined, there was no room for the name, the point is outside the axes. */
export interface Undrawn {
  undefined: number;
  room: number;
  outside: number;
}

/** Crosses of more points than this are a thicket. */
const MOST_CROSSES = 40;

/** Rows as points, and how many are none. */
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

/** Of a name that there was no room for. */
function noRoom(axis: Axis, row: FigureRow): boolean {
  const value = row[axis.spec.field] ?? null;
  return axis.kind === "category" && value !== null && axis.at(value) === null;
}

function isOutside({ spec, kind }: Axis, at: number | null): boolean {
  if (at === null || kind !== "number" || !spec.domain) return false;
  return at < spec.domain[0] || at > spec.domain[1];
}

/** Whether the intervals of x and of y are drawn: on request, else that of the axis of numbers, of two that of y. */
function intervalAxes({ interval, mark }: Figure, x: Axis, y: Axis): [boolean, boolean] {
  if (mark === "cell" || interval === "none") return [false, false];
  if (interval) return [interval !== "y", interval !== "x"];
  return [x.kind === "number" && y.kind !== "number", y.kind === "number"];
}

/** Whether both intervals are asked for of so many points that they are left to the pointer and to the data. */
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
