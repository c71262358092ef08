import alder from "../../../data/books/alder.json" with { type: "json" };
import harbour from "../../../data/books/harbour.json" with { type: "json" };
import meridian from "../../../data/books/meridian.json" with { type: "json" };
import type { Book } from "./book.js";

/** Every phrase book by its name. */
export const BOOKS = { harbour, meridian, alder } as object as Readonly<Record<string, Book>>;

export function bookCalled(name: string): Book {
  const book = Object.hasOwn(BOOKS, name) ? BOOKS[name] : undefined;
  if (!book) throw new RangeError(`phrase book: unknown book "${name}"; there are ${Object.keys(BOOKS).join(", ")}`);
  return book;
}
