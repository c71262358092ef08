import { describeLimit, findLimits, type Limit, satisfies } from "../amounts.js";
import { type ContentView, isPicture } from "../content-view.js";
import { ABSENCE, type Check, type CheckCompiler, fieldName, fieldOf } from "./check.js";

/** Units that are counted in the content; other amounts are read from it. */
const COUNTED = new Set(["word", "character", "emoji", "picture", "link"]);
const TAGS = /\[(\p{L}[\p{L}\d -]{0,20})\]/gu;

/** Lower-case tags that a clause names. */
export function tagsIn(clause: string): string[] {
  return Array.from(clause.matchAll(TAGS), (match) => match[1]!.trim());
}

/** "At least 80 words", "up to 40 euros", "1980 or earlier": counts and amounts of the content against the bounds of a clause. */
export const compileCountChecks: CheckCompiler = (source) => {
  if (/in a row/.test(source.clause)) return [];
  const field = fieldName(source);
  const tags = tagsIn(source.clause);
  return findLimits(source.clause).map((limit): Check => {
    const values = (view: ContentView) => valuesOf(view, limit, field);
    return {
      judge: (view, concern) => {
        if (tags.length > 0 && !tags.some((tag) => view.tags.includes(tag))) return 0;
        const found = values(view);
        if (found.length === 0) return 0;
        const inside = found.every((value) => satisfies(limit, value));
        const certainty = tags.length > 0 || field === "title" ? 1 : concern;
        // "At most 2 emoji are allowed" is a limit, "films from 1980 or earlier need no marks" an exception.
        const isLimit = COUNTED.has(limit.unit) && limit.sense === "max";
        if (source.force === "allows" && (inside || !isLimit)) return inside ? -0.7 * certainty : 0;
        // "More than 3 links are removed" names the breach; "at most 3 links" and "at least 3" name what is right.
        const namesBreach = source.force !== "demands" && (limit.sense === "above" || limit.sense === "below");
        const breaks = namesBreach ? inside : !inside;
        return (breaks ? (COUNTED.has(limit.unit) ? 0.9 : 0.7) : -ABSENCE) * certainty;
      },
      tell: (view) => {
        const found = values(view).join(", ");
        const place = limit.unit === "word" || limit.unit === "character" ? ` in its ${field}` : "";
        const what = COUNTED.has(limit.unit) ? `has ${found} ${limit.unit}s${place}` : `names ${found}`;
        return `${what}; the clause says ${describeLimit(limit)}`;
      },
    };
  });
};

function valuesOf(view: ContentView, { unit }: Limit, name: "title" | "body"): number[] {
  if (unit === "calendar year") {
    const years = view.amounts.filter(({ value, unit }) => unit === null && value >= 1800 && value <= 2100);
    return years.map(({ value }) => value);
  }
  if (!COUNTED.has(unit)) {
    return view.amounts.filter((amount) => amount.unit === unit).map(({ value }) => value);
  }
  const field = fieldOf(view, name);
  if (field === null) return [];
  switch (unit) {
    case "word":
      return [field.words];
    case "character":
      return [field.text.length];
    case "emoji":
      return [field.emoji];
    case "link":
      return [view.links.length];
    default:
      return view.hasMedia ? [Math.max(1, view.links.filter(isPicture).length)] : [];
  }
}
