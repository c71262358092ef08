import * as Plot from "@observablehq/plot";
import { largestSize, radiusOf } from "../legend.ts";
import type { Point } from "../plan.ts";
import { type Drawing, panelChannels } from "./parts.ts";

/** Intervals of the point at the pointer, where a picture has too many points to draw them for all. */
export function hoveredMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, palette } = drawing;
  if (plan.figure.mark !== "point" || plan.figure.interval !== "none") return [];
  const pointed = { ...panelChannels(drawing), px: "x", py: "y" };
  return intervalRules(drawing, plan.points, (channels) => Plot.pointer({ ...pointed, ...channels }), palette.ink);
}

/** The point that the reader picked: ring, name and intervals. */
export function pickedMarks(drawing: Drawing, name: string): Plot.Markish[] {
  const { plan, palette } = drawing;
  const { name: field, size, interval } = plan.figure;
  const points = field ? plan.points.filter(({ row }) => row[field] === name) : [];
  const largest = size ? largestSize(plan) : 0;
  const radius = (point: Point) => (largest > 0 ? radiusOf(point.size, largest) : 4.5) + 3;
  const place = { ...panelChannels(drawing), x: "x", y: "y" };
  return [
    ...(interval === "none" ? intervalRules(drawing, points, (channels) => channels, palette.ink) : []),
    Plot.dot(points, { ...place, r: { value: radius, scale: null }, stroke: palette.ink, strokeWidth: 2 }),
  ];
}

type Channels = Record<string, unknown>;

function intervalRules(
  { plan, ...drawing }: Drawing,
  points: readonly Point[],
  on: (channels: Channels) => Channels,
  stroke: string,
): Plot.Markish[] {
  const { x, y } = plan.figure;
  const common = { ...panelChannels({ plan, ...drawing }), stroke, strokeWidth: 1.5 };
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
