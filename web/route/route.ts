import { wellFormed } from "../../src/text/printable.js";

/** Where the reader is: a view, what it is about, and its filters. The address holds all of it, after `#`. */
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

/** Views of earlier reports, and where they are now: links in mails and tickets still lead there. */
const MOVED: ReadonlyMap<string, readonly string[]> = new Map([
  ["", ["overview"]],
  ["summary", ["overview"]],
  ["decision", ["review"]],
  ["fleet", ["automation"]],
  ["gate", ["automation"]],
  ["community", ["automation", "community"]],
  ["specificity", ["rules", "wording"]],
  ["calibration", ["trust", "calibration"]],
  ["stability", ["trust", "stability"]],
  ["adversarial", ["trust", "attacks"]],
  ["humans", ["trust", "people"]],
  ["experiments", ["trust"]],
  ["terms", ["method"]],
]);

/** `#/automation?mode=paper`, `#/review/film-club-008`. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  const [first = "", ...rest] = path.split("/").map(decoded);
  const [view = "", ...about] = [...(MOVED.get(first) ?? [first]), ...rest];
  return { view, about, query: new URLSearchParams(query) };
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

/** A typed address may not be well formed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
