import * as Plot from "@observablehq/plot";
import { FONT_SIZE, type Frame, LINE_HEIGHT, NAME_LINE, namesHeight, panelSize } from "../frame.ts";
import { safeText } from "../value-text.ts";
import type { Drawing } from "./parts.ts";

/** A place in pixels from the picture's corner, whatever the axes and panels. */
function placed({ margin }: Frame, x: number, y: number) {
  return { facet: "super", frameAnchor: "top-left", dx: x - margin.left, dy: y - margin.top } as const;
}

/** A stretch of a line. */
const STRETCH: Plot.VectorShapeImplementation = {
  draw(context, length) {
    context.moveTo(0, 0);
    context.lineTo(0, -length);
  },
};

/** Axes and grid: lines across for what is compared, names and numbers at the edges. */
export function axisMarks({ plan, frame, palette }: Drawing): Plot.Markish[] {
  const { figure, horizontal } = plan;
  const grid = { stroke: palette.grid, strokeOpacity: 1, strokeWidth: 1 };
  const names = (ticks: readonly number[], texts: readonly string[]) => (value: number) =>
    texts[ticks.indexOf(value)] ?? "";
  const text = { label: null, tickSize: 0, fill: palette.muted, fontSize: FONT_SIZE, stroke: null } as const;
  const spaced = (texts: readonly string[]) =>
    texts.some((name) => name.includes("\n")) ? { lineHeight: NAME_LINE / FONT_SIZE } : {};
  const marks: Plot.Markish[] = [];
  const gridX = horizontal || (figure.mark === "point" && plan.x.kind === "number");
  if (figure.mark !== "cell") {
    if (gridX) marks.push(Plot.gridX({ ...grid, ticks: frame.x.ticks }));
    if (!horizontal && plan.y.kind === "number") marks.push(Plot.gridY({ ...grid, ticks: frame.y.ticks }));
  }
  marks.push(
    Plot.axisX({
      ...text,
      ...spaced(frame.xNames),
      ...(frame.ragged && { facetAnchor: null }),
      ticks: frame.x.ticks,
      tickFormat: names(frame.x.ticks, frame.xNames),
      tickPadding: 6,
    }),
    Plot.axisY({
      ...text,
      ...spaced(frame.yNames),
      ticks: frame.y.ticks,
      tickFormat: names(frame.y.ticks, frame.yNames),
      tickPadding: 6,
    }),
  );
  return marks;
}

/** Title, legend, labels of the axes, names of panels and notes. */
export function wordMarks(drawing: Drawing): Plot.Markish[] {
  const { plan, frame, palette } = drawing;
  const at = (text: string, x: number, y: number, options: Plot.TextOptions = {}) =>
    Plot.text([text], {
      ...placed(frame, x, y),
      text: [text],
      textAnchor: "start",
      lineAnchor: "top",
      fill: palette.ink,
      fontSize: FONT_SIZE,
      ...options,
    });
  const bottom = frame.height - frame.margin.bottom;
  const labelY = bottom + 10 + namesHeight(frame.xNames) + 4;
  const edge = frame.title.length > 0 ? 12 : 0;
  const notesY = labelY + frame.xLabel.length * LINE_HEIGHT + 10;
  return [
    ...frame.title.map((line, i) => at(line, edge, frame.titleTop + i * 20, { fontSize: 15, fontWeight: 600 })),
    ...frame.subtitle.map((line, i) =>
      at(line, edge, frame.titleTop + frame.title.length * 20 + i * LINE_HEIGHT, { fill: palette.muted }),
    ),
    ...legendMarks(drawing, edge),
    ...frame.yLabel.map((line, i) => at(line, edge, frame.labelTop + i * LINE_HEIGHT, { fill: palette.muted })),
    ...frame.xLabel.map((line, i) =>
      at(line, lastRight(drawing), labelY + i * LINE_HEIGHT, { textAnchor: "end", fill: palette.muted }),
    ),
    ...frame.notes.map((line, i) => at(line, edge, notesY + i * 14, { fontSize: 11, fill: palette.muted })),
    ...(plan.panels.length > 1 ? [panelNames(drawing)] : []),
  ];
}

/** Where the last panel of the last row ends. */
function lastRight({ plan, frame }: Drawing): number {
  if (!frame.ragged) return frame.width - frame.margin.right;
  const { width } = panelSize(frame);
  const last = (plan.panels.length - 1) % frame.columns;
  return frame.margin.left + last * (width + frame.gap) + width;
}

function panelNames({ plan, frame, palette }: Drawing): Plot.Markish {
  const names = plan.panels.map((name, panel) => ({ name: safeText(name, 40), panel }));
  return Plot.text(names, {
    fx: ({ panel }) => panel % frame.columns,
    fy: ({ panel }) => Math.floor(panel / frame.columns),
    text: "name",
    frameAnchor: "top-left",
    lineAnchor: "bottom",
    dy: -6,
    fontSize: FONT_SIZE,
    fontWeight: 600,
    fill: palette.ink,
  });
}

function legendMarks({ frame, palette }: Drawing, edge: number): Plot.Markish[] {
  return frame.legend.flatMap(({ x, y, height, text, kind, role, shape, dash, radius, tint }) => {
    const colour = palette[role];
    const left = edge + x;
    const middle = frame.legendTop + y + height / 2;
    const word = (dx: number) =>
      Plot.text([text], {
        ...placed(frame, left + dx, middle),
        text: [text],
        textAnchor: "start",
        lineAnchor: "middle",
        fill: palette.ink,
        fontSize: FONT_SIZE,
      });
    const dot = (dx: number, options: Plot.DotOptions) =>
      Plot.dot([0], { ...placed(frame, left + dx, middle), symbol: shape, ...options });
    if (kind === "text") return [word(0)];
    if (kind === "size") return [dot(0, { r: radius, stroke: colour, fill: "none" }), word(radius + 6)];
    if (kind === "point") return [dot(6, { r: radius, fill: colour }), word(18)];
    if (kind === "swatch") {
      return [dot(6, { r: 6, symbol: "square", fill: colour, fillOpacity: tint, stroke: colour }), word(18)];
    }
    const line = Plot.vector([0], {
      ...placed(frame, left + 13, middle),
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
