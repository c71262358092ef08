import { parseHTML } from "linkedom";
import type { Figure } from "../../src/domain/figure.js";
import { drawFigure } from "./draw-figure.ts";
import { LIGHT } from "./palette.ts";

/** A figure as the text of an SVG file that stands alone. The same figure gives the same bytes. Runs in Node. */
export function figureSvg(figure: Figure, width = 720): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  return drawFigure(figure, { document, width, palette: LIGHT }).outerHTML;
}
