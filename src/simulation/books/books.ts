import { ALDER } from "./alder/board-rules.js";
import type { Book } from "./book.js";
import { HARBOUR } from "./harbour/topics.js";
import { MERIDIAN } from "./meridian/platform-rules.js";

/** Every phrase book by its name. */
export const BOOKS: Readonly<Record<string, Book>> = { harbour: HARBOUR, meridian: MERIDIAN, alder: ALDER };

export function bookCalled(name: string): Book {
  const book = Object.hasOwn(BOOKS, name) ? BOOKS[name] : undefined;
  if (!book)
    throw new RangeError(`phrase book: there is none called "${name}"; there are ${Object.keys(BOOKS).join(", ")}`);
  return book;
}
