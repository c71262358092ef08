import * as Plot from "@observablehq/plot";
import type { Point } from "../chart-model.ts";
import { largestSize, radiusOf } from "../legend.ts";
import { stackBases } from "../place-rows.ts";
import { tipText } from "../value-text.ts";
import { type Drawing, panelChannels, pointChannels } from "./parts.ts";

/** Intervals of the point at the pointer, for charts with too many points to draw all. */
export function hoveredMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  if (model.figure.mark !== "point" || model.figure.interval !== "none") return [];
  const pointed = { ...panelChannels(drawing), px: "x", py: "y" };
  return intervalRules(drawing, model.points, (channels) => Plot.pointer({ ...pointed, ...channels }), palette.ink);
}

/** The selected point: ring, name and intervals. */
export function pickedMarks(drawing: Drawing, name: string): Plot.Markish[] {
  const { model, palette } = drawing;
  const { name: field, size, interval } = model.figure;
  const points = field ? model.points.filter(({ row }) => row[field] === name) : [];
  const largest = size ? largestSize(model) : 0;
  const radius = (point: Point) => (largest > 0 ? radiusOf(point.size, largest) : 4.5) + 3;
  return [
    ...(interval === "none" ? intervalRules(drawing, points, (channels) => channels, palette.ink) : []),
    Plot.dot(points, {
      ...pointChannels(drawing),
      r: { value: radius, scale: null },
      stroke: palette.ink,
      strokeWidth: 2,
    }),
  ];
}

type Channels = Record<string, unknown>;

function intervalRules(
  { model, ...drawing }: Drawing,
  points: readonly Point[],
  on: (channels: Channels) => Channels,
  stroke: string,
): Plot.Markish[] {
  const { x, y } = model.figure;
  const common = { ...panelChannels({ model, ...drawing }), stroke, strokeWidth: 1.5 };
  const end = (field: string, side: "lower" | "upper", domain: readonly [number, number] | undefined) => {
    const [least, most] = domain ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    return ({ row }: Point) => {
      const value = row[`${field}_${side}`];
      return typeof value === "number" ? Math.min(most, Math.max(least, value)) : null;
    };
  };
  return [
    Plot.ruleX(points, {
      ...on({ x: "x", y1: end(y.field, "lower", y.domain), y2: end(y.field, "upper", y.domain) }),
      ...common,
    } as Plot.RuleXOptions),
    Plot.ruleY(points, {
      ...on({ y: "y", x1: end(x.field, "lower", x.domain), x2: end(x.field, "upper", x.domain) }),
      ...common,
    } as Plot.RuleYOptions),
  ];
}

/** The tip for the row at the pointer. */
export function tipMark(drawing: Drawing): Plot.Markish {
  const { model, palette } = drawing;
  const { horizontal, stacked, points } = model;
  const bases = stacked ? stackBases(points, horizontal) : null;
  // A part of a stack is pointed at in its middle.
  const along = (which: "x" | "y") => (point: Point) => {
    const isValue = which === (horizontal ? "x" : "y");
    return bases && isValue ? (bases.get(point) ?? 0) + point[which] / 2 : point[which];
  };
  const channels = {
    ...panelChannels(drawing),
    x: along("x"),
    y: along("y"),
    title: ({ row }: Point) => tipText(model.figure, row),
  };
  return Plot.tip(points, {
    ...(nearest(drawing)(channels) as Plot.TipOptions),
    fill: palette.paper,
    stroke: palette.muted,
    fontSize: 12,
    lineHeight: 1.35,
    lineWidth: 34,
  });
}

/** Bars and lines are found along the axis, points by distance. */
function nearest({ model: { horizontal, figure } }: Drawing) {
  if (horizontal) return Plot.pointerY;
  return figure.mark === "point" || figure.mark === "cell" ? Plot.pointer : Plot.pointerX;
}
