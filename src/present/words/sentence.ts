import type { Estimate } from "../../core/estimate.js";
import {
  type Bounds,
  byCount,
  countText,
  formatNumber,
  isShownAsWhole,
  isSilent,
  type NumberForm,
  wideInterval,
} from "./numbers.js";
import { nameText } from "./vocabulary.js";

/** The id of the element with a page's data: packed JSON, gzipped, in base64, which has no characters that are special in HTML. */
export const DATA_ELEMENT = "report-data";

/**
 * Browsers that can show a report. The limiting features: `DecompressionStream` (Firefox 113, Safari 16.4), `color-mix` (Chrome 111),
 * `Array.prototype.toSorted` (Firefox 115), lookbehind (Safari 16.4). `web/tsconfig.json` includes no newer library, so nothing newer is used by
 * accident.
 */
export const OLDEST_BROWSERS = "Chrome or Edge 111, Firefox 115, Safari 16.4, or a newer one (2023)";

/** The value at a JSON pointer (RFC 6901), or undefined. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** One part of a pointer, escaped. */
export function pointerPart(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A number of the page by its JSON pointer. The page marks it, so that a test can compare it with the data. */
export interface NumberPiece {
  at: string;
  as: NumberForm;
}

/** An estimate by its JSON pointer: value, interval, counts. `bar`: the interval is drawn on a page and omitted in text. */
export interface EstimatePiece {
  est: string;
  as: NumberForm;
  with: "value" | "bar" | "interval" | "counts" | "all";
}

/** A number and its interval by JSON pointers, if they are not an estimate. `bounds`: the interval alone. */
export interface RangePiece {
  range: string;
  lower: string;
  upper: string;
  as: NumberForm;
  with: "interval" | "bounds";
}

/** A term of docs/notation.md, which the page explains. */
interface TermPiece {
  term: string;
  text: string;
}

/** A name that links to another place of the page, by the parts of its address. */
interface LinkPiece {
  to: readonly [view: string, ...about: string[]];
  text: string;
}

export type Piece = string | NumberPiece | EstimatePiece | RangePiece | TermPiece | LinkPiece;

/** A sentence made from a report's numbers: words, numbers with their pointers, and terms. */
export type Sentence = readonly Piece[];

export function numberAt(at: string, as: NumberForm = "percent"): NumberPiece {
  return { at, as };
}

/** The value of an estimate, inside `sentence`. */
export function rateAt(at: string): NumberPiece {
  return { at: `${at}/estimate`, as: "percent" };
}

/** An estimate, inside `sentence` or in a cell. */
export function estAt(
  est: string,
  as: NumberForm = "percent",
  shown: EstimatePiece["with"] = "interval",
): EstimatePiece {
  return { est, as, with: shown };
}

/** A number and its interval in a cell; `bounds`: the pointer to an object with `lower` and `upper`. */
export function rangeAt(
  range: string,
  bounds: string,
  as: NumberForm,
  shown: RangePiece["with"] = "interval",
): RangePiece {
  return { range, lower: `${bounds}/lower`, upper: `${bounds}/upper`, as, with: shown };
}

/** The value and bounds of a range in the data; null if absent. */
export function rangeIn(data: unknown, piece: RangePiece): { value: number | null; bounds: Bounds | null } {
  const [value, lower, upper] = [piece.range, piece.lower, piece.upper].map((at) => valueAt(data, at));
  const bounds = typeof lower === "number" && typeof upper === "number" ? { lower, upper } : null;
  return { value: typeof value === "number" ? value : null, bounds };
}

/** A link to the page of a decision. */
export function decisionLink(id: string): LinkPiece {
  return { to: ["review", id], text: nameText(id, 60) };
}

/** A link to a community, or to a group of a gate by other keys; a page links only those that have a page. */
export function communityLink(name: string): LinkPiece {
  return { to: ["automation", "community", name], text: nameText(name, 40) };
}

/** A count and what is counted, inside `sentence`: "1 decision", "382 decisions". */
export function countedAt(at: string, count: number, one: string, many = `${one}s`): Sentence {
  return sentence`${numberAt(at, "whole")} ${byCount(count, one, many)}`;
}

export function termOf(term: string, text = term): TermPiece {
  return { term, text };
}

/** A name that people gave, inside a sentence: without characters that would reverse the text direction. */
export function named(text: string): string {
  return nameText(text, 60);
}

/** A template of words and pieces; a nested sentence is inlined. Shares are whole percents, as in prose; table cells have one decimal. */
export function sentence(words: TemplateStringsArray, ...pieces: readonly (Piece | Sentence | number)[]): Sentence {
  const parts: Piece[] = [words[0]!];
  pieces.forEach((piece, index) => {
    if (Array.isArray(piece)) parts.push(...(piece as Sentence));
    else parts.push(typeof piece === "number" ? String(piece) : inProse(piece as Piece));
    parts.push(words[index + 1]!);
  });
  return parts.filter((part) => part !== "");
}

const inProse = (piece: Piece): Piece =>
  typeof piece === "object" && "as" in piece && piece.as === "percent" ? { ...piece, as: "rounded" } : piece;

/** The sentence as plain text. A number missing from the data is a dash, as on the page. */
export function sentenceText(data: unknown, parts: Sentence): string {
  return parts.map((part) => pieceText(data, part)).join("");
}

function pieceText(data: unknown, piece: Piece): string {
  if (typeof piece === "string") return piece;
  if ("text" in piece) return piece.text;
  if ("range" in piece) return rangeText(data, piece);
  if ("est" in piece) return estimateText(valueAt(data, piece.est) as Estimate | undefined, piece);
  const value = valueAt(data, piece.at);
  return typeof value === "number" ? formatNumber(value, piece.as) : "–";
}

/** "92.3" with "(91.9–92.6)", "+46.6 pp (+45.1 to +48.0)", "0.59 (0.57 to 0.61)", "104 of 382"; a dash if undefined. */
function estimateText(estimate: Estimate | undefined, { as, with: shown }: EstimatePiece): string {
  if (!estimate || estimate.estimate === null) return "–";
  if (shown === "counts") return countText(estimate);
  const value = formatNumber(estimate.estimate, finerForm(estimate.estimate, as));
  if (shown === "value" || shown === "bar") return value;
  const counts = shown === "all" ? `, ${countText(estimate)}` : "";
  return `${value} (${isSilent(estimate) ? "no interval" : boundsText(wideInterval(estimate)!, as)}${counts})`;
}

function rangeText(data: unknown, piece: RangePiece): string {
  const { value, bounds } = rangeIn(data, piece);
  const ends = bounds && boundsText(bounds, piece.as);
  if (piece.with === "bounds") return ends ?? "–";
  if (value === null) return "–";
  const text = formatNumber(value, finerForm(value, piece.as));
  return ends === null ? text : `${text} (${ends})`;
}

function boundsText({ lower, upper }: Bounds, as: NumberForm): string {
  const [low, high] = [formatNumber(lower, as), formatNumber(upper, as)];
  if (as === "points") return `${low.replace(" pp", "")} to ${high.replace(" pp", "")}`;
  // A dash before a negative number would be read as a sign.
  if (lower < 0) return `${low} to ${high}`;
  return `${low.replace(/%$/, "")}–${high}`;
}

/** Avoids "100.0" next to "9,996 of 10,000". */
export function finerForm(value: number, as: NumberForm): NumberForm {
  return as === "percent" && isShownAsWhole(value) ? "risk" : as;
}
