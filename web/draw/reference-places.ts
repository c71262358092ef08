import type { Figure } from "../../src/core/figure.js";
import { type ChartLayout, namesAbove, panelSize } from "./chart-layout.ts";
import type { ChartModel } from "./chart-model.ts";
import { inkOf } from "./ink.ts";
import { LABEL_SIZE } from "./label-places.ts";
import { type Box, overlap, spotOf } from "./place-rows.ts";
import { textWidth } from "./text-fit.ts";
import { safeText } from "./value-text.ts";

/** Position of a line's name, in Plot's terms. */
export interface ReferencePlace {
  frameAnchor: "top" | "bottom" | "left" | "right";
  textAnchor: "start" | "middle" | "end";
  lineAnchor: "top" | "bottom";
  dx: number;
  dy: number;
}

type Zone = NonNullable<Figure["zone"]>;

const HEIGHT = 14;
const ABOVE = 3;
/** Outside the panel or on another name: outweighs any number of lines and points. */
const COVERED = 1e6;

/** Position of each line's name: at one of its ends, clear of data and other names; above the chart over bars, which fill it. Null for a diagonal. */
export function referencePlaces(model: ChartModel, layout: ChartLayout): ((ReferencePlace & { box: Box }) | null)[] {
  const { width, height } = panelSize(layout);
  const { zone, references = [] } = model.figure;
  const ink = inkOf(model, layout);
  const spot = spotOf(model, layout);
  const above = namesAbove(model);
  const taken: Box[] = [];
  // At the end away from the zone, where points crowd.
  const leftFirst = zone !== undefined && spot({ x: zone.x[0], y: zone.y[0] }).x > width / 2;
  return references.map(({ axis, value, label }) => {
    if (axis === "diagonal") return null;
    const long = lengthOf(label);
    const at = spot({ x: value, y: value })[axis];
    const meets = references.some(
      (other) =>
        other.axis === "x" &&
        other.value > value &&
        spot({ x: other.value, y: 0 }).x - at < (long + lengthOf(other.label)) / 2,
    );
    const upright = above ? abovePlaces(meets) : uprightPlaces(at > 0.7 * width);
    const tried = (axis === "x" ? upright : levelPlaces(leftFirst)).map((place) => {
      const box = axis === "x" ? uprightBox(place, at, long, height) : levelBox(place, at, long, width);
      const top = above && axis === "x" ? -ABOVE - HEIGHT : 0;
      const out = box.left < 0 || box.right > width || box.top < top || box.bottom > height;
      const cost = ink(box) + (out || taken.some((other) => overlap(other, box)) ? COVERED : 0);
      return { place, box, cost };
    });
    const best = tried.reduce((least, one) => (one.cost < least.cost ? one : least));
    taken.push(best.box);
    return { ...best.place, box: best.box };
  });
}

/** Next to a vertical line: at its top, in steps of one line down, then at its foot. */
function uprightPlaces(late: boolean): ReferencePlace[] {
  const sides = late ? (["end", "start"] as const) : (["start", "end"] as const);
  const heights = [0, 1, 2].map((line) => ({ frameAnchor: "top", lineAnchor: "top", dy: 4 + HEIGHT * line }) as const);
  const foot = { frameAnchor: "bottom", lineAnchor: "bottom", dy: -4 } as const;
  return [...heights, foot].flatMap((row) =>
    sides.map((textAnchor) => ({ ...row, textAnchor, dx: textAnchor === "start" ? 5 : -5 })),
  );
}

const lengthOf = (label: string) => textWidth(safeText(label, 80), LABEL_SIZE);

/** Above the chart, over a vertical line or next to it; on its left if it would meet the next name. */
function abovePlaces(meets: boolean): ReferencePlace[] {
  const place = { frameAnchor: "top", lineAnchor: "bottom", dy: -ABOVE } as const;
  const anchors = meets ? (["end", "middle", "start"] as const) : (["middle", "start", "end"] as const);
  return anchors.map((textAnchor) => ({
    ...place,
    textAnchor,
    dx: { start: 1, middle: 0, end: -1 }[textAnchor],
  }));
}

/** Above or below a horizontal line, at either end. */
function levelPlaces(leftFirst: boolean): ReferencePlace[] {
  const right = { frameAnchor: "right", textAnchor: "end", dx: -4 } as const;
  const left = { frameAnchor: "left", textAnchor: "start", dx: 4 } as const;
  return (leftFirst ? [left, right] : [right, left]).flatMap((side) => [
    { ...side, lineAnchor: "bottom" as const, dy: -4 },
    { ...side, lineAnchor: "top" as const, dy: 4 },
  ]);
}

function uprightBox(
  { frameAnchor, textAnchor, lineAnchor, dx, dy }: ReferencePlace,
  at: number,
  long: number,
  height: number,
): Box {
  const left = at + dx - { start: 0, middle: long / 2, end: long }[textAnchor];
  const edge = frameAnchor === "top" ? dy : height + dy;
  const top = lineAnchor === "bottom" ? edge - HEIGHT : edge;
  return { left, right: left + long, top, bottom: top + HEIGHT };
}

function levelBox({ frameAnchor, lineAnchor, dx, dy }: ReferencePlace, at: number, long: number, width: number): Box {
  const left = frameAnchor === "left" ? dx : width + dx - long;
  const top = lineAnchor === "top" ? at + dy : at + dy - HEIGHT;
  return { left, right: left + long, top, bottom: top + HEIGHT };
}

/** In the zone's upper corner, or next to a zone too narrow for it. */
export function zoneLabel(zone: Zone, layout: ChartLayout) {
  const [x1, x2] = inside(zone.x, layout.x.domain);
  const [y1, y2] = inside(zone.y, layout.y.domain);
  const text = [safeText(zone.label, 80)];
  const wide = Math.abs(position(x2, layout.x.domain) - position(x1, layout.x.domain));
  if (wide < 0.2 && position(x1, layout.x.domain) > 0.5) {
    return { text, x: [x1], y: [(y1 + y2) / 2], textAnchor: "end", dx: -6 } as const;
  }
  return { text, x: [x1], y: [y2], textAnchor: "start", lineAnchor: "top", dx: 6, dy: 6 } as const;
}

/** The box of the zone's name, which labels of points avoid. */
export function zoneLabelBox(model: ChartModel, layout: ChartLayout): Box | null {
  const { zone } = model.figure;
  if (!zone) return null;
  const { x, y, textAnchor, dx } = zoneLabel(zone, layout);
  const at = spotOf(model, layout)({ x: x[0]!, y: y[0]! });
  const long = lengthOf(zone.label);
  const left = at.x + dx - (textAnchor === "end" ? long : 0);
  const top = textAnchor === "end" ? at.y - HEIGHT / 2 : at.y + 6;
  return { left, right: left + long, top, bottom: top + HEIGHT };
}

function position(value: number, [from, to]: readonly [number, number]): number {
  return to === from ? 0 : (value - from) / (to - from);
}

export function inside([from, to]: readonly [number, number], domain: readonly [number, number]): [number, number] {
  const [least, most] = [Math.min(...domain), Math.max(...domain)];
  return [Math.max(from, least), Math.min(to, most)];
}
