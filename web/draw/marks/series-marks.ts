import * as Plot from "@observablehq/plot";
import type { Figure, FigureAxis, FigureRow } from "../../../src/core/figure.js";
import { whole } from "../../../src/present/words/numbers.js";
import type { Point } from "../chart-model.ts";
import { largestSize, radiusOf } from "../legend.ts";
import { stackBases } from "../place-rows.ts";
import { barHalf } from "../scale.ts";
import { valueText } from "../value-text.ts";
import { bySeries, type Drawing, inOrder, panelChannels, pointChannels } from "./parts.ts";

/** Points, each series with its own colour and shape; largest first, so that none is hidden. */
export function pointMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  const largest = model.figure.size ? largestSize(model) : 0;
  const [cloud, many] = [30, 250].map((most) => model.points.length > most);
  const radius = (point: Point) => (largest > 0 ? radiusOf(point.size, largest) : many ? 3 : 4.5);
  return [
    ...whiskers(drawing),
    ...bySeries(drawing).map(({ points, colour, shape, faint }) =>
      Plot.dot(largest > 0 ? points.toSorted((a, b) => b.size - a.size) : points, {
        ...pointChannels(drawing),
        r: { value: faint ? () => (cloud ? 2.5 : 3.5) : radius, scale: null },
        symbol: shape,
        fill: colour,
        fillOpacity: faint ? (cloud ? 0.3 : 0.8) : many ? 0.55 : largest > 0 ? 0.65 : 0.9,
        stroke: palette.paper,
        strokeWidth: 0.75,
      }),
    ),
  ];
}

/** Bars from zero, vertical or horizontal, side by side or stacked, with their intervals. */
export function barMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  const { horizontal, stacked } = model;
  const [along, across] = horizontal ? (["x", "y"] as const) : (["y", "x"] as const);
  const half = barHalf(model);
  const below = stacked ? stackBases(model.points, horizontal) : new Map<Point, number>();
  const from = (point: Point) => below.get(point) ?? 0;
  const common = panelChannels(drawing);
  const bars = bySeries(drawing).map(({ points, colour, tint }) =>
    Plot.rect(points, {
      ...common,
      [`${along}1`]: from,
      [`${along}2`]: (point: Point) => from(point) + point[along],
      [`${across}1`]: (point: Point) => point[across] - half,
      [`${across}2`]: (point: Point) => point[across] + half,
      fill: colour,
      fillOpacity: 0.88 * tint,
      ...(tint < 1 && { stroke: colour, strokeWidth: 1 }),
    }),
  );
  const zero = { stroke: palette.muted, strokeWidth: 1 };
  return [...bars, horizontal ? Plot.ruleX([0], zero) : Plot.ruleY([0], zero), ...whiskers(drawing)];
}

/** Few points of a line are marked; their shapes distinguish the series, as dashes do. */
const FEW = 16;

/** Lines, or areas from zero, with intervals as bands. */
export function lineMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  const common = panelChannels(drawing);
  const at = pointChannels(drawing);
  const marks: Plot.Markish[] = [];
  const lines = bySeries(drawing).map((series) => ({ ...series, points: inOrder(series.points) }));
  for (const { points, colour } of lines) {
    const banded = points.filter(({ ySpan }) => ySpan);
    if (banded.length > 2) {
      marks.push(
        Plot.areaY(banded, {
          ...common,
          x: "x",
          y1: (point) => point.ySpan.lower,
          y2: (point) => point.ySpan.upper,
          z: "piece",
          fill: colour,
          fillOpacity: 0.14,
        }),
      );
    } else marks.push(...whiskers({ ...drawing, model: { ...model, points: banded } }));
    if (model.figure.mark === "area") {
      marks.push(
        Plot.areaY(points, { ...common, x: "x", y1: 0, y2: "y", z: "piece", fill: colour, fillOpacity: 0.16 }),
      );
    }
  }
  for (const { points, colour, dash, shape } of lines) {
    marks.push(
      Plot.line(points, { ...at, z: "piece", stroke: colour, strokeWidth: 2, ...(dash && { strokeDasharray: dash }) }),
    );
    if (points.length <= FEW * model.panels.length) {
      marks.push(Plot.dot(points, { ...at, r: 4, symbol: shape, fill: colour, stroke: palette.paper }));
    }
  }
  return marks;
}

/** A table of shaded cells, each with its number, so that the shade is only a guide. */
export function cellMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  const value = cellValue(model.figure);
  const of = ({ row }: Point) => Number(row[value.field] ?? 0);
  const largest = Math.max(1e-9, ...model.points.map((point) => Math.abs(of(point))));
  const common = panelChannels(drawing);
  return [
    Plot.rect(model.points, {
      ...common,
      x1: (point) => point.x - 0.5,
      x2: (point) => point.x + 0.5,
      y1: (point) => point.y - 0.5,
      y2: (point) => point.y + 0.5,
      inset: 1,
      fill: palette.accent,
      fillOpacity: { value: (point: Point) => 0.04 + (0.5 * Math.abs(of(point))) / largest, scale: null },
    }),
    Plot.text(model.points, { ...common, x: "x", y: "y", text: ({ row }) => cellText(value, row), fill: palette.ink }),
  ];
}

function cellValue({ value, rows }: Figure): FigureAxis {
  if (value) return value;
  if (rows.some(({ share }) => typeof share === "number")) return { field: "share", label: "share", format: "percent" };
  return { field: "n", label: "n", format: "whole" };
}

/** A share with its number of cases, if the row has one. */
function cellText(value: FigureAxis, row: FigureRow): string {
  const number = row[value.field];
  if (typeof number !== "number") return "–";
  const text = valueText(value, number);
  return value.field !== "n" && typeof row.n === "number" ? `${text}\n(${whole(row.n)})` : text;
}

/** Intervals as thin lines, in the colour of the series, or in ink over bars. */
function whiskers(drawing: Drawing): Plot.Markish[] {
  const { palette, model } = drawing;
  const over = model.figure.mark === "bar";
  const strokeOpacity = model.points.length > 60 && !over ? 0.35 : 0.85;
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
