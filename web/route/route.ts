import { wellFormed } from "../../src/text/printable.js";

/** Where the reader is: a view, what it is about, and its filters. All of it stands in the address, after `#`. */
export interface Route {
  view: string;
  /** What the view is about: a community, a rule, a decision. */
  about: string[];
  query: URLSearchParams;
}

/** A view and what it is about, without its filters. */
export function placeOf({ view, about }: Route): string {
  return [view, ...about].join("/");
}

/** `#/fleet?mode=paper`, `#/decision/film-club-008`. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  const [view = "", ...about] = path.split("/").map(decoded);
  return { view: view || "summary", about, query: new URLSearchParams(query) };
}

export function routeHash(
  view: string,
  about: readonly string[] = [],
  query?: URLSearchParams | Record<string, string>,
): string {
  // Half a character cannot be encoded; it becomes the sign for one that is missing.
  const path = [view, ...about].map((part) => encodeURIComponent(wellFormed(part))).join("/");
  const search = new URLSearchParams(query).toString();
  return `#/${path}${search ? `?${search}` : ""}`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** An address that somebody typed may not be well formed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
