import { byCount, formatNumber, type NumberForm } from "./numbers.js";
import { nameText } from "./word-table.js";

/** Where the data of a page stand inside it: packed JSON, gzipped, in base64, which has no character that HTML could take for its own. */
export const DATA_ELEMENT = "report-data";

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

/** A number of the page by its JSON pointer. A page marks it, so that a test can compare what is shown with the data. */
export interface NumberPiece {
  at: string;
  as: NumberForm;
}

/** A word of docs/notation.md, which a page explains. */
interface TermPiece {
  term: string;
  text: string;
}

export type Piece = string | NumberPiece | TermPiece;

/** A sentence made from the numbers of a report: words, numbers that know where they come from, and terms. */
export type Sentence = readonly Piece[];

/** A number inside `sentence`. */
export function numberAt(at: string, as: NumberForm = "percent"): NumberPiece {
  return { at, as };
}

/** Value of an estimate inside `sentence`. */
export function rateAt(at: string): NumberPiece {
  return { at: `${at}/estimate`, as: "percent" };
}

/** A count and what is counted, inside `sentence`: "1 decision", "382 decisions". */
export function countedAt(at: string, count: number, one: string, many = `${one}s`): Sentence {
  return sentence`${numberAt(at, "whole")} ${byCount(count, one, many)}`;
}

export function termOf(term: string, text = term): TermPiece {
  return { term, text };
}

/** A name that people gave, as a part of a sentence: without characters that would turn the sentence around. */
export function named(text: string): string {
  return nameText(text, 60);
}

/** A template of words and pieces; a sentence inside a sentence becomes part of it. */
export function sentence(words: TemplateStringsArray, ...pieces: readonly (Piece | Sentence | number)[]): Sentence {
  const parts: Piece[] = [words[0]!];
  pieces.forEach((piece, index) => {
    if (Array.isArray(piece)) parts.push(...(piece as Sentence));
    else parts.push(typeof piece === "number" ? String(piece) : (piece as Piece));
    parts.push(words[index + 1]!);
  });
  return parts.filter((part) => part !== "");
}

/** The sentence as plain text. A number that the data do not have is a dash, as on the page. */
export function sentenceText(data: unknown, parts: Sentence): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if ("term" in part) return part.text;
      const value = valueAt(data, part.at);
      return typeof value === "number" ? formatNumber(value, part.as) : "–";
    })
    .join("");
}
