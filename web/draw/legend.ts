import { whole } from "../../src/present/words/numbers.js";
import type { ChartModel } from "./chart-model.ts";
import type { Role } from "./palette.ts";
import type { Shape } from "./series-style.ts";
import { cutText, textWidth } from "./text-fit.ts";
import { niceDomain } from "./ticks.ts";
import { safeText } from "./value-text.ts";

/** A legend entry, positioned from the legend's corner. */
export interface LegendItem {
  x: number;
  y: number;
  height: number;
  text: string;
  kind: "point" | "line" | "stroke" | "swatch" | "size" | "text";
  role: Role;
  shape: Shape;
  dash: string | undefined;
  radius: number;
  tint: number;
}

const SIZE = 12;
const ROW = 20;
const LARGEST_RADIUS = 13;

/** Radius whose area is proportional to a number. */
export function radiusOf(value: number, largest: number): number {
  return largest > 0 ? Math.max(3, LARGEST_RADIUS * Math.sqrt(value / largest)) : 4;
}

export function largestSize({ points }: ChartModel): number {
  return points.reduce((largest, { size }) => Math.max(largest, size), 0);
}

/** Entries in lines no wider than the chart; empty for series that an axis or the panels name. */
export function layLegend(model: ChartModel, width: number): LegendItem[] {
  const items = [...seriesItems(model), ...overItems(model)];
  const laid: LegendItem[] = [];
  let x = 0;
  let y = 0;
  for (const item of items) {
    const text = cutText(item.text, width - 40, SIZE);
    const wide = (item.kind === "line" || item.kind === "stroke" ? 32 : 18) + textWidth(text, SIZE) + 18;
    if (x > 0 && x + wide > width) {
      x = 0;
      y += ROW;
    }
    laid.push({ ...item, text, x: Math.round(x), y });
    x += wide;
  }
  return [...laid, ...sizeItems(model, laid.length > 0 ? y + ROW : 0)];
}

function seriesItems({ figure, series }: ChartModel): Omit<LegendItem, "x" | "y">[] {
  const { mark, x, y } = figure;
  if (mark === "cell" || !figure.series || series.length === 0) return [];
  // The axes or panels already name the series.
  if ([x.field, y.field, figure.facet].includes(figure.series)) return [];
  const kind = mark === "point" ? "point" : mark === "line" || mark === "area" ? "line" : "swatch";
  return series.map(({ name, ...style }) => ({ text: name, kind, ...style, radius: 5, height: ROW }));
}

/** The line over the points, unless its series has an entry, and the band below them. */
function overItems({ figure: { band, curve }, curve: points, series }: ChartModel): Omit<LegendItem, "x" | "y">[] {
  const common = { shape: "circle", dash: undefined, radius: 0, height: ROW } as const;
  return [
    ...(curve && points.length > 0 && !series.some(({ name }) => name === curve.label)
      ? [{ ...common, kind: "stroke", role: "ink", tint: 1, text: safeText(curve.label, 80) } as const]
      : []),
    ...(band
      ? [{ ...common, kind: "swatch", role: "muted", tint: 0.16, text: safeText(band.label, 80) } as const]
      : []),
  ];
}

function sizeItems(model: ChartModel, top: number): LegendItem[] {
  const { size } = model.figure;
  const largest = largestSize(model);
  if (!size || largest <= 0) return [];
  const common = {
    kind: "size",
    role: "muted",
    shape: "circle",
    dash: undefined,
    tint: 1,
    height: 2 * LARGEST_RADIUS,
  } as const;
  const label = `${safeText(size.label, 60)}:`;
  const items: LegendItem[] = [{ ...common, kind: "text", text: label, x: 0, y: top, radius: 0 }];
  let x = textWidth(label, SIZE) + 14;
  const round = niceDomain([0, largest], 4)[1];
  for (const value of [...new Set([round / 10, round / 2.5, round].map(Math.round))].filter((v) => v > 0)) {
    const radius = radiusOf(value, largest);
    const text = whole(value);
    items.push({ ...common, text, x: Math.round(x + radius), y: top, radius });
    x += 2 * radius + 8 + textWidth(text, SIZE) + 16;
  }
  return items;
}
