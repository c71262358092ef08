import { columnsOf, FONT_SIZE } from "./frame.ts";
import type { Plan } from "./plan.ts";
import { textWidth, wrapText } from "./text-fit.ts";

/** Pixels beside the cells. */
const SIDES = 120;

/** The narrowest picture of cells in which no name below them is torn, with names of the usual length at their side. */
export function leastWidth({ figure, x }: Plan): number {
  if (figure.mark !== "cell") return 0;
  const words = x.categories.flatMap((value) => x.name(value).split(" "));
  return SIDES + x.categories.length * (Math.max(0, ...words.map((word) => textWidth(word, FONT_SIZE))) + 8);
}

/** Whether the names of x fit under their places in three lines without breaking a word. */
export function namesFit({ x, panels }: Plan, width: number): boolean {
  if (x.categories.every((value) => typeof value === "number")) return true;
  const columns = columnsOf({ panels }, width);
  const room = (width - 80) / columns / Math.max(1, x.categories.length) - 6;
  return x.categories.map(x.name).every((name) => {
    const words = name.split(" ");
    return words.every((word) => textWidth(word, FONT_SIZE) <= room) && wrapText(name, room, FONT_SIZE).length <= 3;
  });
}
