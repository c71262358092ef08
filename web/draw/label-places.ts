import { type ChartLayout, panelSize } from "./chart-layout.ts";
import type { ChartModel, Point } from "./chart-model.ts";
import { inkOf } from "./ink.ts";
import { largestSize, radiusOf } from "./legend.ts";
import { type Box, overlap, type Spot, spotOf } from "./place-rows.ts";
import { referencePlaces, zoneLabelBox } from "./reference-places.ts";
import { textWidth } from "./text-fit.ts";

export const LABEL_SIZE = 11;

/** Position of a label relative to its point. */
export interface LabelPlace {
  point: Point;
  text: string;
  anchor: "start" | "end" | "middle";
  dx: number;
  dy: number;
}

/** Tried in this order: nearest first, right before left. */
const PLACES = [-11, 11, -25, 25, -39, 39].flatMap((dy) =>
  (["start", "end", "middle"] as const).map((anchor) => ({ dy, anchor, dx: { start: 6, end: -6, middle: 0 }[anchor] })),
);

/** Outweighs any number of lines and points under a label. */
const COVERED = 1e6;

/**
 * Label positions such that no label covers another label or a labelled point, or is nearer to another labelled point than to its own; of these the
 * first with the least ink below. A scatter's point without a position loses its label: the pointer and the table still name it.
 */
export function labelPlaces(model: ChartModel, layout: ChartLayout): LabelPlace[] {
  const points = model.points.filter(({ label }) => label !== null);
  const panel = panelSize(layout);
  const ink = inkOf(model, layout);
  const spot = spotOf(model, layout);
  const largest = model.figure.size ? largestSize(model) : 0;
  const radius = (point: Point) => (largest > 0 ? radiusOf(point.size, largest) : 5);
  const taken: { panel: number; box: Box }[] = points.map((point) => {
    const { x, y } = spot(point);
    const r = radius(point);
    return { panel: point.panel, box: { left: x - r, right: x + r, top: y - r, bottom: y + r } };
  });
  const named = [zoneLabelBox(model, layout), ...referencePlaces(model, layout).map((one) => one?.box)];
  taken.push(...model.panels.flatMap((_, at) => named.flatMap((box) => (box ? { panel: at, box } : []))));
  const isFree = (box: Box, at: number) =>
    box.left >= 0 &&
    box.right <= panel.width &&
    box.top >= -4 &&
    box.bottom <= panel.height &&
    !taken.some((other) => other.panel === at && overlap(other.box, box));
  const spots = points.map((point) => ({ point, spot: spot(point) }));
  const isOwn = (box: Box, point: Point) =>
    spots.every(
      (other) => other.point.panel !== point.panel || distance(box, other.spot) >= distance(box, spot(point)) - 1e-6,
    );
  return points.flatMap((point) => {
    const text = point.label ?? "";
    const width = textWidth(text, LABEL_SIZE);
    const further = radius(point) - 5;
    const tried = PLACES.map(({ dx, dy, anchor }) => {
      const place = { anchor, dx: dx + Math.sign(dx) * further, dy: dy + Math.sign(dy) * further };
      const box = boxOf(place, width, spot(point));
      return { place, box, cost: isFree(box, point.panel) && isOwn(box, point) ? ink(box, point.panel) : COVERED };
    });
    const { place, box, cost } = tried.reduce((best, one) => (one.cost < best.cost ? one : best));
    if (cost === COVERED && model.figure.mark === "point") return [];
    taken.push({ panel: point.panel, box });
    return [{ point, text, ...place }];
  });
}

/** From a label to the centre of a point. */
function distance({ left, right, top, bottom }: Box, { x, y }: Spot): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

function boxOf({ dy, anchor, dx }: Pick<LabelPlace, "dy" | "anchor" | "dx">, width: number, { x, y }: Spot): Box {
  const left = x + dx - { start: 0, end: width, middle: width / 2 }[anchor];
  return { left, right: left + width, top: y + dy - 7, bottom: y + dy + 7 };
}
