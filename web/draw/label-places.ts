import { type Frame, panelSize } from "./frame.ts";
import type { Point } from "./plan.ts";
import type { Scale } from "./scale.ts";
import { textWidth } from "./text-fit.ts";

export const LABEL_SIZE = 11;

/** Where a label stands, from its point. */
export interface LabelPlace {
  point: Point;
  text: string;
  anchor: "start" | "end" | "middle";
  dx: number;
  dy: number;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Tried in this order: near the point first, to the right first. */
const PLACES = [-11, 11, -25, 25, -39, 39].flatMap((dy) =>
  (["start", "end", "middle"] as const).map((anchor) => ({ dy, anchor, dx: { start: 6, end: -6, middle: 0 }[anchor] })),
);

/** A place for the label of each point such that none covers another label or a labelled point, as far as there is room. */
export function labelPlaces(points: readonly Point[], frame: Frame): LabelPlace[] {
  const panel = panelSize(frame);
  const spots = points.map((point) => ({
    point,
    x: along(frame.x, point.x) * panel.width,
    y: (1 - along(frame.y, point.y)) * panel.height,
  }));
  const taken: { panel: number; box: Box }[] = spots.map(({ point, x, y }) => ({
    panel: point.panel,
    box: { left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 },
  }));
  return spots.map(({ point, x, y }) => {
    const text = point.label ?? "";
    const width = textWidth(text, LABEL_SIZE);
    const boxes = PLACES.map((place) => ({ place, box: boxOf(place, width, x, y) }));
    const free = boxes.find(
      ({ box }) =>
        box.left >= 0 &&
        box.right <= panel.width &&
        box.top >= -4 &&
        box.bottom <= panel.height &&
        !taken.some((other) => other.panel === point.panel && overlap(other.box, box)),
    );
    const { place, box } = free ?? boxes[0]!;
    taken.push({ panel: point.panel, box });
    return { point, text, ...place };
  });
}

function boxOf({ dy, anchor, dx }: (typeof PLACES)[number], width: number, x: number, y: number): Box {
  const left = x + dx - { start: 0, end: width, middle: width / 2 }[anchor];
  return { left, right: left + width, top: y + dy - 7, bottom: y + dy + 7 };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** How far along an axis a value lies, from 0 to 1. */
function along({ type, domain: [from, to] }: Scale, value: number): number {
  const turned = (number: number) => (type === "log" ? Math.log(number) : type === "sqrt" ? Math.sqrt(number) : number);
  return to === from ? 0 : (turned(value) - turned(from)) / (turned(to) - turned(from));
}
