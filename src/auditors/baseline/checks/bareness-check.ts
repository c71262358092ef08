import { type CheckCompiler, NO_CHECKS, speaksAgainst } from "../clause.js";

/** Clauses that speak against content with nothing in it: "a score and nothing else", "one-line opinions", "bare results". */
const BARENESS =
  /\bnothing else\b|-only\b|\bone-line|\bone-liners?\b|\bone-word\b|\bbare\b|\blow[- ]effort\b|\btoo little\b|\bbring little\b|\bwithout (?:any )?(?:text|explanation|context)\b/;
/** Against something that stands alone: only content of next to no words is that. */
const ALONE =
  /\b(?:links?|pictures?|photos?|emojis?|scores?|results?|letters?|numbers?) (?:alone|only)\b|\brow of emoji\b/;

/** Content of a few words where a clause wants more than that. */
export const compileBarenessChecks: CheckCompiler = (clause) => {
  const against = speaksAgainst(clause.role) || clause.role === "discretion";
  const bare = BARENESS.test(clause.lower);
  if (!against || (!bare && !ALONE.test(clause.lower))) return NO_CHECKS;
  return [
    {
      property: "bareness",
      indirect: true,
      judge: (view) => {
        const { count } = view.words;
        if (count <= 3) return 0.7;
        if (!bare) return 0;
        if (count <= 12) return 0.5;
        if (count <= 20) return 0.15;
        return count > 40 ? -0.3 : 0;
      },
      tell: (view) => `consists of ${view.words.count} words`,
    },
  ];
};
