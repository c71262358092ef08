import * as Plot from "@observablehq/plot";
import { type ChartLayout, FONT_SIZE, LINE_HEIGHT, NAME_LINE, namesHeight, panelSize } from "../chart-layout.ts";
import { safeText } from "../value-text.ts";
import type { Drawing } from "./parts.ts";

/** A position in pixels from the chart's corner, independent of axes and panels. */
function placed({ margin }: ChartLayout, x: number, y: number) {
  return { facet: "super", frameAnchor: "top-left", dx: x - margin.left, dy: y - margin.top } as const;
}

/** A line segment. */
const STRETCH: Plot.VectorShapeImplementation = {
  draw(context, length) {
    context.moveTo(0, 0);
    context.lineTo(0, -length);
  },
};

/** Axes and grid: lines across the compared values, names and numbers at the edges. */
export function axisMarks({ model, layout, palette }: Drawing): Plot.Markish[] {
  const { figure, horizontal } = model;
  const grid = { stroke: palette.grid, strokeOpacity: 1, strokeWidth: 1 };
  const names = (ticks: readonly number[], texts: readonly string[]) => (value: number) =>
    texts[ticks.indexOf(value)] ?? "";
  const text = { label: null, tickSize: 0, fill: palette.muted, fontSize: FONT_SIZE, stroke: null } as const;
  const spaced = (texts: readonly string[]) =>
    texts.some((name) => name.includes("\n")) ? { lineHeight: NAME_LINE / FONT_SIZE } : {};
  const marks: Plot.Markish[] = [];
  const gridX = horizontal || (figure.mark === "point" && model.x.kind === "number");
  if (figure.mark !== "cell") {
    if (gridX) marks.push(Plot.gridX({ ...grid, ticks: layout.x.ticks }));
    if (!horizontal && model.y.kind === "number") marks.push(Plot.gridY({ ...grid, ticks: layout.y.ticks }));
  }
  marks.push(
    Plot.axisX({
      ...text,
      ...spaced(layout.xNames),
      ...(layout.ragged && { facetAnchor: null }),
      ticks: layout.x.ticks,
      tickFormat: names(layout.x.ticks, layout.xNames),
      tickPadding: 6,
    }),
    Plot.axisY({
      ...text,
      ...spaced(layout.yNames),
      ticks: layout.y.ticks,
      tickFormat: names(layout.y.ticks, layout.yNames),
      tickPadding: 6,
    }),
  );
  return marks;
}

export function wordMarks(drawing: Drawing): Plot.Markish[] {
  const { model, layout, palette } = drawing;
  const at = (text: string, x: number, y: number, options: Plot.TextOptions = {}) =>
    Plot.text([text], {
      ...placed(layout, x, y),
      text: [text],
      textAnchor: "start",
      lineAnchor: "top",
      fill: palette.ink,
      fontSize: FONT_SIZE,
      ...options,
    });
  const bottom = layout.height - layout.margin.bottom;
  const labelY = bottom + 10 + namesHeight(layout.xNames) + 4;
  const edge = layout.title.length > 0 ? 12 : 0;
  const notesY = labelY + layout.xLabel.length * LINE_HEIGHT + 10;
  return [
    ...layout.title.map((line, i) => at(line, edge, layout.titleTop + i * 20, { fontSize: 15, fontWeight: 600 })),
    ...layout.subtitle.map((line, i) =>
      at(line, edge, layout.titleTop + layout.title.length * 20 + i * LINE_HEIGHT, { fill: palette.muted }),
    ),
    ...legendMarks(drawing, edge),
    ...layout.yLabel.map((line, i) => at(line, edge, layout.labelTop + i * LINE_HEIGHT, { fill: palette.muted })),
    ...layout.xLabel.map((line, i) =>
      at(line, lastRight(drawing), labelY + i * LINE_HEIGHT, { textAnchor: "end", fill: palette.muted }),
    ),
    ...layout.notes.map((line, i) => at(line, edge, notesY + i * 14, { fontSize: 11, fill: palette.muted })),
    ...(model.panels.length > 1 ? [panelNames(drawing)] : []),
  ];
}

function lastRight({ model, layout }: Drawing): number {
  if (!layout.ragged) return layout.width - layout.margin.right;
  const { width } = panelSize(layout);
  const last = (model.panels.length - 1) % layout.columns;
  return layout.margin.left + last * (width + layout.gap) + width;
}

function panelNames({ model, layout, palette }: Drawing): Plot.Markish {
  const names = model.panels.map((name, panel) => ({ name: safeText(name, 40), panel }));
  return Plot.text(names, {
    fx: ({ panel }) => panel % layout.columns,
    fy: ({ panel }) => Math.floor(panel / layout.columns),
    text: "name",
    frameAnchor: "top-left",
    lineAnchor: "bottom",
    dy: -6,
    fontSize: FONT_SIZE,
    fontWeight: 600,
    fill: palette.ink,
  });
}

function legendMarks({ layout, palette }: Drawing, edge: number): Plot.Markish[] {
  return layout.legend.flatMap(({ x, y, height, text, kind, role, shape, dash, radius, tint }) => {
    const colour = palette[role];
    const left = edge + x;
    const middle = layout.legendTop + y + height / 2;
    const word = (dx: number) =>
      Plot.text([text], {
        ...placed(layout, left + dx, middle),
        text: [text],
        textAnchor: "start",
        lineAnchor: "middle",
        fill: palette.ink,
        fontSize: FONT_SIZE,
      });
    const dot = (dx: number, options: Plot.DotOptions) =>
      Plot.dot([0], { ...placed(layout, left + dx, middle), symbol: shape, ...options });
    if (kind === "text") return [word(0)];
    if (kind === "size") return [dot(0, { r: radius, stroke: colour, fill: "none" }), word(radius + 6)];
    if (kind === "point") return [dot(6, { r: radius, fill: colour }), word(18)];
    if (kind === "swatch") {
      return [dot(6, { r: 6, symbol: "square", fill: colour, fillOpacity: tint, stroke: colour }), word(18)];
    }
    const line = Plot.vector([0], {
      ...placed(layout, left + 13, middle),
      shape: STRETCH,
      length: 26,
      rotate: 90,
      stroke: colour,
      strokeWidth: 2,
      ...(dash && { strokeDasharray: dash }),
    });
    if (kind === "stroke") return [line, word(32)];
    return [line, dot(13, { r: 4, fill: colour, stroke: palette.paper }), word(32)];
  });
}
