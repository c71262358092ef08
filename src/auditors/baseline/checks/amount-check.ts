import { type Check, type CheckCompiler, NO_CHECKS, speaksAgainst } from "../clause.js";
import type { ContentView } from "../content-view.js";
import { FACTS, NO_NEED } from "../facts.js";
import { findLimits, type Limit, satisfies } from "./limits.js";
import { tagsOfClause } from "./tag-check.js";

/** Units that are counted elsewhere (length) or that no text shows reliably. */
const COUNTED = new Set([
  "word",
  "character",
  "sentence",
  "emoji",
  "photo",
  "link",
  "question",
  "question_mark",
  "capital_word",
]);
const ALLOWS = /\bonly\b|\ballowed\b|\bmay\b|permitid/;

/** "Up to 40 euros", "films from 1980 or earlier", "five or more films": numbers in the content against a bound of the clause. */
export const compileAmountChecks: CheckCompiler = (clause) => {
  const limits = findLimits(clause.lower).filter((limit) => !COUNTED.has(limit.unit));
  if (limits.length === 0) return NO_CHECKS;
  const tags = tagsOfClause(clause.lower);
  return limits.map((limit): Check => {
    const exempts = clause.role === "exemption";
    const allows = exempts || (ALLOWS.test(clause.lower) && (limit.sense === "max" || limit.sense === "below"));
    return {
      property: `amount in ${limit.unit}`,
      needs: limit.unit === "item" ? NO_NEED : FACTS.amount,
      judge: (view, bearing) => {
        const value = judgeAmount(
          view,
          limit,
          allows,
          speaksAgainst(clause.role),
          Math.max(bearing.rule, bearing.clause),
        );
        if (exempts && tags.length > 0 && !tags.some((tag) => view.tags.includes(tag))) return 0;
        // An exception that does not fit breaks nothing.
        return exempts ? Math.min(0, value) : value;
      },
      borderline: (view) => (isLoose(view, limit) && values(view, limit).some((value) => isNear(limit, value)) ? 1 : 0),
      tell: (view) =>
        `gives ${values(view, limit).join(", ")} where the clause says ${limit.sense} ${limit.value} (${limit.unit})`,
    };
  });
};

function judgeAmount(view: ContentView, limit: Limit, allows: boolean, against: boolean, relevance: number): number {
  const found = values(view, limit);
  if (found.length === 0) return 0;
  const inside = found.every((value) => satisfies(limit, value));
  const some = found.some((value) => satisfies(limit, value));
  // Enumerated things are counted by their marks: a witness, but not a sworn one.
  const trust = (limit.unit === "item" ? 0.8 : 0.5 + 0.5 * relevance) * (isLoose(view, limit) ? 0.3 : 1);
  if (allows) return (inside ? -0.8 : some ? 0.3 : 0.8) * trust;
  if (against && (limit.sense === "min" || limit.sense === "above")) return (some ? 0.8 : -0.5) * trust;
  return (inside ? -0.6 : 0.8) * trust;
}

function isNear(limit: Limit, value: number): boolean {
  return Math.abs(value - limit.value) <= 0.25 * limit.value;
}

function isLoose(view: ContentView, limit: Limit): boolean {
  return view.amounts.some((amount) => amount.unit === limit.unit && amount.loose);
}

function values(view: ContentView, limit: Limit): number[] {
  if (limit.unit === "item") {
    const items = Math.max(view.body.listItems, view.title.listItems);
    return items > 0 ? [items] : [];
  }
  if (limit.unit === "calendar_year") {
    return view.amounts
      .filter(({ value, unit }) => unit === null && value >= 1850 && value <= 2100 && Number.isInteger(value))
      .map(({ value }) => value);
  }
  return view.amounts.filter(({ unit }) => unit === limit.unit).map(({ value }) => value);
}
