import { wellFormed } from "../../src/text/printable.js";

/** The reader's location: a view, its subject and its filters, all in the address after `#`. */
export interface Route {
  view: string;
  /** Subject of the view: a community, a rule, a decision. */
  about: string[];
  query: URLSearchParams;
}

/** A view and its subject, without filters. */
export function placeOf({ view, about }: Route): string {
  return [view, ...about].join("/");
}

/** Views of earlier reports and their current places: links in mails and tickets still work. */
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
  // A lone surrogate cannot be encoded and becomes the replacement character.
  const path = [view, ...about].map((part) => encodeURIComponent(wellFormed(part))).join("/");
  const search = new URLSearchParams(query).toString();
  return `#/${path}${search ? `?${search}` : ""}`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** A typed address may be malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
