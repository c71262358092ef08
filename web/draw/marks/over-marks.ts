import * as Plot from "@observablehq/plot";
import { LABEL_SIZE, labelPlaces } from "../label-places.ts";
import { bandOf } from "../scale.ts";
import { bySeries, type Drawing, inOrder, panelChannels, pointChannels } from "./parts.ts";

/** The area that points are held against, under them. */
export function bandMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, palette } = drawing;
  const points = plan.points.filter((point) => bandOf(plan, point));
  if (points.length === 0) return [];
  return [
    Plot.areaY(inOrder(points), {
      ...panelChannels(drawing),
      x: "x",
      y1: (point) => bandOf(plan, point)?.lower,
      y2: (point) => bandOf(plan, point)?.upper,
      z: null,
      fill: palette.muted,
      fillOpacity: 0.16,
    }),
  ];
}

/** Lines over the points: in the colour of their series, or in ink where they belong to none. */
export function curveMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, palette } = drawing;
  const line = (points: typeof plan.curve, colour: string) =>
    Plot.line(inOrder(points), { ...pointChannels(drawing), z: "piece", stroke: colour, strokeWidth: 2 });
  const own = plan.curve.filter(({ series }) => series < 0);
  const lines = bySeries(drawing, plan.curve).filter(({ points }) => points.length > 0);
  return [
    ...lines.map(({ points, colour }) => line(points, plan.series.length > 1 ? colour : palette.ink)),
    ...(own.length > 0 ? [line(own, palette.ink)] : []),
  ];
}

/** Words next to points, with a halo, each where it covers none of the others. */
export function labelMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, frame, palette } = drawing;
  const labelled = plan.points.filter(({ label }) => label !== null);
  if (labelled.length === 0) return [];
  // A line shows no points where they are many; one that has a name must be seen.
  const ink = { fill: palette.ink, stroke: palette.paper };
  const dots = plan.figure.mark === "point" ? [] : [Plot.dot(labelled, { ...pointChannels(drawing), ...ink, r: 4.5 })];
  return [
    ...dots,
    ...labelPlaces(plan, frame).map(({ point, text, anchor, dx, dy }) =>
      Plot.text([point], {
        ...pointChannels(drawing),
        ...ink,
        text: [text],
        strokeWidth: 4,
        fontSize: LABEL_SIZE,
        textAnchor: anchor,
        dx,
        dy,
      }),
    ),
  ];
}
