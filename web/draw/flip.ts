import type { Figure } from "../../src/core/figure.js";

const SWAPPED = { x: "y", y: "x", both: "both", none: "none", diagonal: "diagonal" } as const;

/** The same figure with its axes swapped, for names that do not fit under it. */
export function flipped(figure: Figure): Figure {
  const { x, y, interval, references, zone } = figure;
  return {
    ...figure,
    x: y,
    y: x,
    ...(interval && { interval: SWAPPED[interval] }),
    ...(references && { references: references.map((line) => ({ ...line, axis: SWAPPED[line.axis] })) }),
    ...(zone && { zone: { ...zone, x: zone.y, y: zone.x } }),
  };
}
