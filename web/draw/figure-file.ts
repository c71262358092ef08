import type { Figure } from "../../src/core/figure.js";
import { wellFormed } from "../../src/text/printable.js";
import type { Chosen } from "./chart-model.ts";
import { describePlan } from "./describe.ts";
import { drawFigure, layOut } from "./draw-figure.ts";
import { LIGHT } from "./palette.ts";
import { safeText } from "./value-text.ts";

const SVG = "http://www.w3.org/2000/svg";

export interface FileOptions {
  document: Document;
  width?: number;
  chosen?: Chosen;
  /** Source of the data, as the last line below the chart. */
  source?: string;
}

/** A figure as the text of a standalone SVG file: light, on its own background, with its title. The same figure gives the same bytes. */
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

/** An SVG element as text. Not by the document's serializer, so that the text is XML everywhere: no HTML entities, no characters invalid in XML. */
function svgText(element: Element, depth = 0): string {
  const indent = "  ".repeat(depth);
  // Documents differ in the order of attributes.
  const attributes = [...element.attributes]
    .map(({ name, value }) => ` ${name}="${escaped(rounded(value))}"`)
    .sort()
    .join("");
  const children = [...element.childNodes];
  const open = `${indent}<${element.localName}${attributes}`;
  if (children.length === 0) return `${open}/>\n`;
  // White space inside text would be drawn.
  if (element.localName === "text" || children.some(({ nodeType }) => nodeType === TEXT)) {
    return `${open}>${children.map(inlineText).join("")}</${element.localName}>\n`;
  }
  const inside = children.map((child) => svgText(child as Element, depth + 1)).join("");
  return `${open}>\n${inside}${indent}</${element.localName}>\n`;
}

const TEXT = 3;

function inlineText(node: ChildNode): string {
  return node.nodeType === TEXT ? escaped(node.textContent ?? "") : svgText(node as Element).trimEnd();
}

/** Hundredths of a pixel are enough, and the last digits of a logarithm differ between machines. */
function rounded(value: string): string {
  return value.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))));
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return wellFormed(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "·")
    .replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}
