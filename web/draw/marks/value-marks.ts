import * as Plot from "@observablehq/plot";
import type { ChartModel, Point } from "../chart-model.ts";
import { textWidth } from "../text-fit.ts";
import { valueText } from "../value-text.ts";
import { type Drawing, panelChannels } from "./parts.ts";

const VALUE_SIZE = 12;
const MOST = { horizontal: 12, upright: 8 };

/** Whether there are few enough bars to print each number. */
export function writesValues({ figure, horizontal, stacked, points, panels, slot }: ChartModel): boolean {
  if (figure.mark !== "bar" || stacked || points.length === 0) return false;
  // Horizontal bars that share a place are thinner than a line of text.
  if (horizontal && slot < 0.5) return false;
  return points.length <= panels.length * (horizontal ? MOST.horizontal : MOST.upright) && panels.length <= 4;
}

/** Pixels for the longest number beyond the end of a horizontal bar. */
export function valueRoom({ points, x }: ChartModel): number {
  const texts = points.map(({ row }) => valueText(x.spec, Number(row[x.spec.field])));
  return 6 + Math.max(0, ...texts.map((text) => textWidth(text, VALUE_SIZE))) + 10;
}

/** Numbers beyond bars and their intervals. */
export function valueMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  if (!writesValues(model)) return [];
  const { horizontal, points } = model;
  const axis = horizontal ? model.x : model.y;
  const far = (point: Point) => {
    const value = horizontal ? point.x : point.y;
    const span = horizontal ? point.xSpan : point.ySpan;
    return value < 0 ? Math.min(value, span?.lower ?? value) : Math.max(value, span?.upper ?? value);
  };
  const place = horizontal
    ? ({ x: far, y: "y", dx: 6, textAnchor: "start" } as const)
    : ({ x: "x", y: far, dy: -5, lineAnchor: "bottom" } as const);
  const away = horizontal ? ({ dx: -6, textAnchor: "end" } as const) : ({ dy: 5, lineAnchor: "top" } as const);
  const common = {
    ...panelChannels(drawing),
    ...place,
    text: ({ row }: Point) => valueText(axis.spec, Number(row[axis.spec.field])),
    fill: palette.ink,
    fontSize: VALUE_SIZE,
  };
  const isNegative = (point: Point) => (horizontal ? point.x : point.y) < 0;
  return [
    Plot.text(
      points.filter((point) => !isNegative(point)),
      common,
    ),
    Plot.text(points.filter(isNegative), { ...common, ...away }),
  ];
}
