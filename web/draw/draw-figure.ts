import * as Plot from "@observablehq/plot";
import type { Figure } from "../../src/domain/figure.js";
import type { Palette } from "./palette.ts";

export interface DrawOptions {
  document: Document;
  width: number;
  palette: Palette;
  /** Values at the pointer. Only where somebody has one. */
  interactive?: boolean;
  /** Chosen values of the figure's `choose` columns. */
  chosen?: Readonly<Record<string, string | number | boolean | null>>;
}

/** The figure as an SVG element: axes, marks, intervals, references and a legend, without its title. */
export function drawFigure(figure: Figure, { document, width, palette }: DrawOptions): SVGSVGElement {
  return Plot.plot({
    document,
    width,
    height: 320,
    style: { color: palette.ink, background: "transparent", fontFamily: "system-ui, sans-serif" },
    x: { label: figure.x.label },
    y: { label: figure.y.label, grid: true },
    marks: [Plot.dot(figure.rows, { x: figure.x.field, y: figure.y.field, stroke: palette.accent })],
  }) as SVGSVGElement;
}
