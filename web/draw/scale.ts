import type { ChartModel, Point, Span } from "./chart-model.ts";
import { BAND, stackSums } from "./place-rows.ts";
import { linearTicks, logTicks, niceDomain } from "./ticks.ts";

export interface Scale {
  type: "linear" | "log" | "sqrt";
  domain: [number, number];
  ticks: number[];
}

/** Ends of an axis, and about `count` ticks. */
export function scaleOf(model: ChartModel, which: "x" | "y", count: number): Scale {
  return withoutFractions(
    fullScale(model, which, count),
    model[which].kind === "number" ? model[which].spec.format : undefined,
  );
}

function fullScale(model: ChartModel, which: "x" | "y", count: number): Scale {
  const { kind, spec, categories, step } = model[which];
  if (kind === "category") {
    const places = categories.map((_, i) => i);
    // The first category of y is at the top.
    const ends: [number, number] = [-0.5, Math.max(1, categories.length) - 0.5];
    return { type: "linear", domain: which === "y" ? [ends[1], ends[0]] : ends, ticks: places };
  }
  const type = spec.scale ?? "linear";
  const isPosition = model.figure.mark === "bar" && which === (model.horizontal ? "y" : "x");
  const values = axisValues(model, which);
  if (isPosition) values.push(...categories.flatMap((value) => [Number(value) - step / 2, Number(value) + step / 2]));
  const startsAtZero = !isPosition && (model.figure.mark === "bar" || isAreaValue(model, which));
  if (startsAtZero && type !== "log") values.push(0);
  if (spec.domain) return { type, domain: spec.domain, ticks: ticksOf(type, spec.domain, count) };
  const usable = values.filter((value) => Number.isFinite(value) && (type !== "log" || value > 0));
  let ends: [number, number] = usable.length > 0 ? [Math.min(...usable), Math.max(...usable)] : [0, 1];
  if (ends[0] === ends[1]) ends = widened(ends[0], spec.format === "percent");
  if (type === "log") return { type, domain: ends, ticks: ticksOf(type, ends, count) };
  const isShare = spec.format === "percent" && ends[0] >= 0 && ends[1] <= 1;
  const nice = isPosition ? ends : niceDomain(ends, count);
  const domain: [number, number] = isShare ? [Math.max(0, nice[0]), Math.min(1, nice[1])] : nice;
  return { type, domain, ticks: ticksOf(type, domain, count) };
}

function ticksOf(type: Scale["type"], [min, max]: readonly [number, number], count: number): number[] {
  return type === "log" ? logTicks(min, max) : linearTicks(min, max, count);
}

function withoutFractions(scale: Scale, format: string | undefined): Scale {
  return format === "whole" ? { ...scale, ticks: scale.ticks.filter(Number.isInteger) } : scale;
}

function widened(value: number, share: boolean): [number, number] {
  if (share && value >= 0 && value <= 1) return [Math.max(0, value - 0.05), Math.min(1, value + 0.05)];
  if (value === 0) return [0, 1];
  const half = Math.abs(value) / 2;
  return [value - half, value + half];
}

function isAreaValue(model: ChartModel, which: "x" | "y"): boolean {
  return model.figure.mark === "area" && which === "y";
}

/** Everything that must lie within the axis: points, intervals, stack sums, reference lines, the zone. */
function axisValues(model: ChartModel, which: "x" | "y"): number[] {
  const { figure, points, stacked, horizontal } = model;
  const value = horizontal ? "x" : "y";
  const values =
    stacked && which === value
      ? stackSums(points, horizontal)
      : points.flatMap((point) => {
          const span = which === "x" ? point.xSpan : point.ySpan;
          return span ? [point[which], span.lower, span.upper] : [point[which]];
        });
  values.push(...model.curve.map((point) => point[which]));
  if (which === "y") values.push(...points.flatMap((point) => Object.values(bandOf(model, point) ?? {})));
  for (const line of figure.references ?? []) if (line.axis === which) values.push(line.value);
  if (figure.zone) values.push(...figure.zone[which]);
  return values;
}

/** The ends of the figure's band at a point. */
export function bandOf({ figure: { band } }: ChartModel, { row }: Point): Span | null {
  const lower = band ? row[band.lower] : null;
  const upper = band ? row[band.upper] : null;
  return typeof lower === "number" && typeof upper === "number" ? { lower, upper } : null;
}

/** Half the width of a bar, in units of its axis. */
export function barHalf(model: ChartModel): number {
  const { x, y, slot, horizontal } = model;
  const axis = horizontal ? y : x;
  const width = slot || BAND * axis.step;
  return axis.kind === "number" && model.series.length === 1 ? (0.96 * axis.step) / 2 : width / 2;
}
