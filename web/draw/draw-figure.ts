import * as Plot from "@observablehq/plot";
import type { Figure } from "../../src/core/figure.js";
import { type Alone, layOutChart, panelPadding } from "./chart-layout.ts";
import { type ChartModel, type Chosen, chartModel, flipped } from "./chart-model.ts";
import { axisMarks, wordMarks } from "./marks/axis-marks.ts";
import { bandMarks, curveMarks, labelMarks } from "./marks/over-marks.ts";
import type { Drawing } from "./marks/parts.ts";
import { hoveredMarks, pickedMarks, tipMark } from "./marks/picked-marks.ts";
import { referenceLabels, referenceMarks, zoneMarks } from "./marks/reference-marks.ts";
import { barMarks, cellMarks, lineMarks, pointMarks } from "./marks/series-marks.ts";
import { valueMarks } from "./marks/value-marks.ts";
import type { Palette } from "./palette.ts";
import { namesFit } from "./text-fit.ts";
import { safeText } from "./value-text.ts";

export interface DrawOptions {
  document: Document;
  width: number;
  palette: Palette;
  /** Show values at the pointer; only with a pointer. */
  interactive?: boolean;
  /** Chosen values of the figure's `choose` columns. */
  chosen?: Chosen;
  /** Name of a point to highlight. */
  picked?: string | undefined;
  /** Title, caption, notes and source inside the chart, for a standalone file. */
  alone?: { source?: string };
}

const MARKS = { point: pointMarks, line: lineMarks, area: lineMarks, bar: barMarks, cell: cellMarks };

/** The figure as an SVG element: axes, marks, intervals, references and a legend; with its title only in a standalone file. */
export function drawFigure(figure: Figure, options: DrawOptions): SVGSVGElement {
  const { document, palette, width } = options;
  const model = layOut(figure, width, options.chosen);
  const layout = layOutChart(model, width, options.alone && wordsAlone(figure, options.alone.source));
  const drawing: Drawing = { model, layout, palette };
  const padding = panelPadding(layout);
  const isScatter = figure.mark === "point";
  const inset = (kind: string) => (isScatter && kind === "number" ? 7 : 0);
  const svg = Plot.plot({
    document,
    width,
    height: layout.height,
    marginTop: layout.margin.top,
    marginRight: layout.margin.right,
    marginBottom: layout.margin.bottom,
    marginLeft: layout.margin.left,
    className: "drawing",
    x: { type: layout.x.type, domain: layout.x.domain, axis: null, inset: inset(model.x.kind) },
    y: { type: layout.y.type, domain: layout.y.domain, axis: null, inset: inset(model.y.kind) },
    fx: { axis: null, padding: padding.x },
    fy: { axis: null, padding: padding.y },
    marks: [
      ...zoneMarks(drawing),
      ...axisMarks(drawing),
      ...referenceMarks(drawing),
      ...bandMarks(drawing),
      ...MARKS[figure.mark](drawing),
      ...curveMarks(drawing),
      ...labelMarks(drawing),
      ...valueMarks(drawing),
      ...referenceLabels(drawing),
      ...wordMarks(drawing),
      ...(model.points.length === 0 ? [emptyMark(drawing)] : []),
      ...(options.picked ? pickedMarks(drawing, options.picked) : []),
      ...(options.interactive ? [...hoveredMarks(drawing), tipMark(drawing)] : []),
    ],
  }) as SVGSVGElement;
  // Plot's style sheet has colours of its own and is not needed: attributes hold all styles.
  for (const style of svg.querySelectorAll("style")) style.remove();
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("fill", palette.ink);
  svg.setAttribute("font-family", "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif");
  return svg;
}

function wordsAlone({ title, caption }: Figure, source: string | undefined): Alone {
  const notes = [caption, source].flatMap((text) => (text ? [safeText(text)] : []));
  return { title: safeText(title), notes };
}

/** The model, with swapped axes if names do not fit below the chart. */
export function layOut(figure: Figure, width: number, chosen?: Chosen): ChartModel {
  const model = chartModel(figure, chosen);
  const swappable = (figure.mark === "bar" || figure.mark === "point") && model.x.kind === "category";
  return swappable && model.y.kind === "number" && !namesFit(model, width)
    ? chartModel(flipped(figure), chosen)
    : model;
}

function emptyMark({ model, palette }: Drawing): Plot.Markish {
  const text = model.figure.rows.length === 0 ? "There are no data for this figure." : "Nothing of it is defined.";
  return Plot.text([text], { text: [text], frameAnchor: "middle", fill: palette.muted, fontSize: 13 });
}
