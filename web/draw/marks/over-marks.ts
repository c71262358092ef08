import * as Plot from "@observablehq/plot";
import { LABEL_SIZE, labelPlaces } from "../label-places.ts";
import { bandOf } from "../scale.ts";
import { bySeries, type Drawing, inOrder, panelChannels, pointChannels } from "./parts.ts";

/** The band that points are compared with, below them. */
export function bandMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  const points = model.points.filter((point) => bandOf(model, point));
  if (points.length === 0) return [];
  return [
    Plot.areaY(inOrder(points), {
      ...panelChannels(drawing),
      x: "x",
      y1: (point) => bandOf(model, point)?.lower,
      y2: (point) => bandOf(model, point)?.upper,
      z: null,
      fill: palette.muted,
      fillOpacity: 0.16,
    }),
  ];
}

/** Lines over the points, in the colour of their series, or in ink without one. */
export function curveMarks(drawing: Drawing): Plot.Markish[] {
  const { model, palette } = drawing;
  const line = (points: typeof model.curve, colour: string) =>
    Plot.line(inOrder(points), { ...pointChannels(drawing), z: "piece", stroke: colour, strokeWidth: 2 });
  const own = model.curve.filter(({ series }) => series < 0);
  const lines = bySeries(drawing, model.curve).filter(({ points }) => points.length > 0);
  return [
    ...lines.map(({ points, colour }) => line(points, model.series.length > 1 ? colour : palette.ink)),
    ...(own.length > 0 ? [line(own, palette.ink)] : []),
  ];
}

/** Labels of points, with a halo, placed so that none covers another. */
export function labelMarks(drawing: Drawing): Plot.Markish[] {
  const { model, layout, palette } = drawing;
  const labelled = model.points.filter(({ label }) => label !== null);
  if (labelled.length === 0) return [];
  // A line omits its points if there are many, but a named one must be visible.
  const ink = { fill: palette.ink, stroke: palette.paper };
  const dots = model.figure.mark === "point" ? [] : [Plot.dot(labelled, { ...pointChannels(drawing), ...ink, r: 4.5 })];
  return [
    ...dots,
    ...labelPlaces(model, layout).map(({ point, text, anchor, dx, dy }) =>
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
