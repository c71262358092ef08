import type { Figure } from "../../src/core/figure.js";
import { describePlan } from "./describe.ts";
import { drawFigure, layOut } from "./draw-figure.ts";
import { LIGHT } from "./palette.ts";
import type { Chosen } from "./plan.ts";
import { svgText } from "./svg-text.ts";
import { safeText } from "./value-text.ts";

const SVG = "http://www.w3.org/2000/svg";

export interface FileOptions {
  document: Document;
  width?: number;
  chosen?: Chosen;
  /** Where the data come from, in words: a last line under the picture. */
  source?: string;
}

/** A figure as the text of a self-contained SVG file: light, on paper of its own, with its title. The same figure gives the same bytes. */
export function figureFile(figure: Figure, { document, width = 720, chosen, source }: FileOptions): string {
  const alone = source === undefined ? {} : { source };
  const svg = drawFigure(figure, { document, width, palette: LIGHT, alone, ...(chosen && { chosen }) });
  svg.setAttribute("role", "img");
  svg.setAttribute("font-family", "Helvetica, Arial, sans-serif");
  const paper = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: LIGHT.paper })) {
    paper.setAttribute(name, value);
  }
  svg.prepend(
    textElement(document, "title", safeText(figure.title)),
    textElement(document, "desc", description(describePlan(layOut(figure, width, chosen)), figure)),
    paper,
  );
  return svgText(svg);
}

function description(drawn: string, { caption }: Figure): string {
  return caption ? `${drawn} ${safeText(caption)}` : drawn;
}

function textElement(document: Document, name: "title" | "desc", text: string): Element {
  const element = document.createElementNS(SVG, name);
  element.textContent = text;
  return element;
}
