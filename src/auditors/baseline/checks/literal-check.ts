import { type Check, type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";

/** Marks made of signs alone (`>!`, `||`, `##`), and quoted words with a colon that a text must begin with ("OP:"). */
const SIGNS = /(?<=\s)([>!|#*~<_=]{2,3})(?=[\s.,;]|$)/g;
const PREFIX = /\b(?:begins?|starts?|headed|carries|line) (?:with|that begins with) "([^"]{2,20}:)"/;
const YEAR_IN_BRACKETS = /\byear\b.*\bbrackets\b|\bfour digits in round brackets\b/;

/** Signs, prefixes and bracketed years that a clause demands or exempts by. */
export const compileLiteralChecks: CheckCompiler = (clause) => {
  const checks: Check[] = [];
  const signs = [...clause.text.matchAll(SIGNS)].map((match) => match[1]!);
  const prefix = PREFIX.exec(clause.text)?.[1];
  if (clause.role === "requirement" || clause.role === "exemption" || clause.role === "definition") {
    if (signs.length > 0) checks.push(literalCheck(signs, clause.role === "exemption"));
    if (prefix) checks.push(literalCheck([prefix], clause.role === "exemption"));
  }
  if (YEAR_IN_BRACKETS.test(clause.lower) && clause.role !== "exemption") {
    const titleOnly = /\btitles?\b/.test(clause.lower);
    checks.push({
      property: "year in brackets",
      indirect: true,
      judge: (view, bearing) => judgeYear(view, titleOnly, bearing.rule),
      tell: (view) =>
        YEAR.test(headOf(view, titleOnly)) ? "gives a year in round brackets" : "gives no year in round brackets",
    });
  }
  return checks.length === 0 ? NO_CHECKS : checks;
};

function literalCheck(literals: readonly string[], exempts: boolean): Check {
  const present = (view: ContentView): boolean => literals.every((literal) => view.text.includes(literal));
  return {
    property: "mark",
    indirect: true,
    judge: (view, bearing) => (present(view) ? (exempts ? -0.9 : -0.7) : exempts ? 0 : bearing.rule * 0.7),
    tell: (view) => (present(view) ? `uses ${literals.join(" and ")}` : `does not use ${literals.join(" and ")}`),
  };
}

const YEAR = /\((?:1[89]|20)\d\d\)/;
const OTHER_YEAR = /['’]\d\d\b|\[(?:1[89]|20)\d\d\]|\b(?:1[89]|20)\d\d\b/;

function headOf(view: ContentView, titleOnly: boolean): string {
  return titleOnly ? view.headline : view.text;
}

function judgeYear(view: ContentView, titleOnly: boolean, relevance: number): number {
  const head = headOf(view, titleOnly);
  if (head === "" || (titleOnly && !view.hasTitle)) return 0;
  if (YEAR.test(head)) return -0.6;
  return OTHER_YEAR.test(head) ? 0.8 : 0.2 + 0.5 * relevance;
}
