import { parseHTML } from "linkedom";
import type { Figure } from "../../src/core/figure.js";
import { figureFile } from "./figure-file.ts";

/** A figure as SVG text, in Node. */
export function figureSvg(figure: Figure, width = 720): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  return figureFile(figure, { document, width });
}
