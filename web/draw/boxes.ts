import { type Frame, panelSize } from "./frame.ts";
import type { Plan, Point } from "./plan.ts";
import type { Scale } from "./scale.ts";

/** A rectangle in pixels from the corner of its panel. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Spot {
  x: number;
  y: number;
}

/** Room that points at the edge have to it: Plot's inset of a scatter's axes of numbers. */
const INSET = 7;

/** Where a value lies in its panel, in pixels. */
export function spotOf({ figure, x, y }: Plan, frame: Frame): (point: Pick<Point, "x" | "y">) => Spot {
  const { width, height } = panelSize(frame);
  const inset = (kind: string) => (figure.mark === "point" && kind === "number" ? INSET : 0);
  const [left, top] = [inset(x.kind), inset(y.kind)];
  return (point) => ({
    x: left + along(frame.x, point.x) * (width - 2 * left),
    y: top + (1 - along(frame.y, point.y)) * (height - 2 * top),
  });
}

/** How far along an axis a value lies, from 0 to 1. */
function along({ type, domain: [from, to] }: Scale, value: number): number {
  const turned = (number: number) => (type === "log" ? Math.log(number) : type === "sqrt" ? Math.sqrt(number) : number);
  return to === from ? 0 : (turned(value) - turned(from)) / (turned(to) - turned(from));
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether the straight line between two spots runs through a box. */
export function crosses(box: Box, a: Spot, b: Spot): boolean {
  // Liang and Barsky: the stretch of the line that lies between each pair of sides, cut down side by side.
  let [from, to] = [0, 1];
  for (const [start, step, least, most] of [
    [a.x, b.x - a.x, box.left, box.right],
    [a.y, b.y - a.y, box.top, box.bottom],
  ] as const) {
    if (step === 0) {
      if (start <= least || start >= most) return false;
      continue;
    }
    const [first, second] = [(least - start) / step, (most - start) / step];
    from = Math.max(from, Math.min(first, second));
    to = Math.min(to, Math.max(first, second));
    if (from >= to) return false;
  }
  return true;
}
