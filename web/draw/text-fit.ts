import { displayWidth } from "../../src/text/printable.js";
import { columnsOf, FONT_SIZE } from "./chart-layout.ts";
import type { ChartModel } from "./chart-model.ts";

/** Estimated width in pixels: nothing can be measured without a screen, and the same chart must come out everywhere. */
export function textWidth(text: string, size: number): number {
  return displayWidth(text) * size * 0.56;
}

/** Lines no wider than `width` if words allow; text beyond `lines` ends in an ellipsis. */
export function wrapText(text: string, width: number, size: number, lines = Number.POSITIVE_INFINITY): string[] {
  const result: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((part) => brokenWord(part, width, size))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || textWidth(longer, size) <= width) line = longer;
    else {
      result.push(line);
      line = word;
    }
  }
  if (line !== "") result.push(line);
  if (result.length <= lines) return result;
  const last = result.slice(lines - 1).join(" ");
  return [...result.slice(0, lines - 1), cutText(last, width, size)];
}

/** The same number of lines, of about equal width. */
export function balancedText(text: string, width: number, size: number): string[] {
  const lines = wrapText(text, width, size);
  let best = lines;
  for (let narrower = width - 8; narrower > width / 2; narrower -= 8) {
    const next = wrapText(text, narrower, size);
    if (next.length > lines.length) break;
    best = next;
  }
  return best;
}

/** Text cut to a width, after a word if one ends near, with … in place of the rest. */
export function cutText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let result = "";
  for (const character of text) {
    if (textWidth(`${result}${character}…`, size) > width) break;
    result += character;
  }
  const wordEnd = text[result.length] === " " ? result.length : result.lastIndexOf(" ");
  return `${(wordEnd > result.length / 2 ? result.slice(0, wordEnd) : result).trimEnd()}…`;
}

/** A word wider than the line is broken after a hyphen, slash or underscore if it has one, else anywhere. */
function brokenWord(word: string, width: number, size: number): string[] {
  if (textWidth(word, size) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const character of word) {
    if (piece !== "" && textWidth(piece + character, size) > width) {
      const at = Math.max(piece.lastIndexOf("-"), piece.lastIndexOf("/"), piece.lastIndexOf("_")) + 1;
      const end = at > piece.length / 2 ? at : piece.length;
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Pixels next to the cells. */
const SIDES = 120;

/** The narrowest cell chart that breaks no name below it, with names of the usual length at the side. */
export function leastWidth({ figure, x }: ChartModel): number {
  if (figure.mark !== "cell") return 0;
  const words = x.categories.flatMap((value) => x.name(value).split(" "));
  return SIDES + x.categories.length * (Math.max(0, ...words.map((word) => textWidth(word, FONT_SIZE))) + 8);
}

/** Whether the names of x fit below their places in three lines without breaking a word. */
export function namesFit({ x, panels }: ChartModel, width: number): boolean {
  if (x.categories.every((value) => typeof value === "number")) return true;
  const columns = columnsOf({ panels }, width);
  const room = (width - 80) / columns / Math.max(1, x.categories.length) - 6;
  return x.categories.map(x.name).every((name) => {
    const words = name.split(" ");
    return words.every((word) => textWidth(word, FONT_SIZE) <= room) && wrapText(name, room, FONT_SIZE).length <= 3;
  });
}
