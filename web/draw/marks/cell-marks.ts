import * as Plot from "@observablehq/plot";
import type { Figure, FigureAxis, FigureRow } from "../../../src/core/figure.js";
import { whole } from "../../../src/present/words/numbers.js";
import type { Point } from "../plan.ts";
import { valueText } from "../value-text.ts";
import { type Drawing, panelChannels } from "./parts.ts";

/** A table of shaded cells, each with its number in it, so that the shade only guides the eye. */
export function cellMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, palette } = drawing;
  const value = cellValue(plan.figure);
  const of = ({ row }: Point) => Number(row[value.field] ?? 0);
  const largest = Math.max(1e-9, ...plan.points.map((point) => Math.abs(of(point))));
  const common = panelChannels(drawing);
  return [
    Plot.rect(plan.points, {
      ...common,
      x1: (point) => point.x - 0.5,
      x2: (point) => point.x + 0.5,
      y1: (point) => point.y - 0.5,
      y2: (point) => point.y + 0.5,
      inset: 1,
      fill: palette.accent,
      fillOpacity: { value: (point: Point) => 0.04 + (0.5 * Math.abs(of(point))) / largest, scale: null },
    }),
    Plot.text(plan.points, { ...common, x: "x", y: "y", text: ({ row }) => cellText(value, row), fill: palette.ink }),
  ];
}

function cellValue({ value, rows }: Figure): FigureAxis {
  if (value) return value;
  if (rows.some(({ share }) => typeof share === "number")) return { field: "share", label: "share", format: "percent" };
  return { field: "n", label: "n", format: "whole" };
}

/** A share with the count that it is of, where the row has one. */
function cellText(value: FigureAxis, row: FigureRow): string {
  const number = row[value.field];
  if (typeof number !== "number") return "–";
  const text = valueText(value, number);
  return value.field !== "n" && typeof row.n === "number" ? `${text}\n(${whole(row.n)})` : text;
}
