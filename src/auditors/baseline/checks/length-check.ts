import { type Check, type CheckCompiler, NO_CHECKS, speaksAgainst } from "../clause.js";
import type { ContentView } from "../content-view.js";
import { certainty, findLimits, type Limit, satisfies } from "./limits.js";
import { tagsOfClause } from "./tag-check.js";

/** "A post tagged [Review] has at least 80 words": words, characters, sentences, pictures and emoji against a bound. */
export const compileLengthChecks: CheckCompiler = (clause, rule) => {
  const limits = findLimits(clause.lower).filter((limit) => limit.unit in COUNTERS && !/in a row/.test(clause.lower));
  if (limits.length === 0) return NO_CHECKS;
  const tags = tagsOfClause(clause.lower);
  const zone = /\btitles?\b/.test(clause.lower) && !/\bbody\b/.test(clause.lower) ? "title" : "body";
  const needsMedia =
    /screenshots?|gifs?|clips?|pictures?|photos?/.test(rule.lower) &&
    tags.length === 0 &&
    zone === "body" &&
    rule.kind === "requirement";
  const needsLink = /\ba link with\b/.test(clause.lower);
  return limits.map((limit): Check => {
    const applies = (view: ContentView): boolean =>
      (tags.length === 0 || tags.some((tag) => view.tags.includes(tag) || view.contextTags.includes(tag))) &&
      (!needsMedia || limit.unit === "photo" || view.hasMedia) &&
      (!needsLink || view.links.count > 0) &&
      (zone === "body" || view.headline !== "");
    return {
      property: `length in ${limit.unit}s`,
      judge: (view, bearing) => {
        if (!applies(view)) return 0;
        const value = COUNTERS[limit.unit]!(view, zone);
        const hard = tags.length > 0 || needsMedia || needsLink || zone === "title" ? 1 : bearing.rule;
        return (
          verdict(clause.role, limit, satisfies(limit, value), certainty(limit, value, limit.unit === "word" ? 1 : 0)) *
          hard
        );
      },
      tell: (view) =>
        `has ${COUNTERS[limit.unit]!(view, zone)} ${limit.unit}s in its ${zone}, where the clause says ${saying(limit)}`,
    };
  });
};

/** The bound is what is demanded or allowed, or (in a clause that speaks against) what is too much or too little. */
function verdict(role: string, limit: Limit, inside: boolean, certain: number): number {
  if (role === "exemption") return inside ? -0.6 * certain : 0;
  const describesBreach = speaksAgainst(role as "definition") && (limit.sense === "above" || limit.sense === "below");
  if (describesBreach) return inside ? certain : -0.4 * certain;
  return inside ? -0.7 * certain : certain;
}

const COUNTERS: Record<string, (view: ContentView, zone: "title" | "body") => number> = {
  word: (view, zone) => (zone === "title" && view.hasTitle ? view.title.words : view.body.words) - tagWords(view, zone),
  character: (view, zone) => (zone === "title" && view.hasTitle ? view.title.characters : view.body.characters),
  sentence: (view) => view.body.sentences,
  emoji: (view, zone) => (zone === "title" && view.hasTitle ? view.title.emoji : view.body.emoji),
  photo: (view) => view.links.images,
  link: (view) => view.links.count,
};

function tagWords(view: ContentView, zone: "title" | "body"): number {
  if (zone === "body" && view.hasTitle) return 0;
  return view.leadingTags.length;
}

function saying(limit: Limit): string {
  const words = { min: "at least", max: "at most", above: "more than", below: "fewer than" };
  return `${words[limit.sense]} ${limit.value}`;
}
