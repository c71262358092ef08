import { type CheckCompiler, NO_CHECKS, speaksAgainst } from "../clause.js";

/** Clauses that speak against content with nothing in it: "a score and nothing else", "one-line opinions", "bare results". */
const BARENESS =
  /\bnothing else\b|-only\b|\bone-line|\bone-liners?\b|\bone-word\b|\bbare\b|\balone\b|\blow[- ]effort\b|\btoo little\b|\bbring little\b|\bshort comments?\b|\bwithout (?:any )?(?:text|explanation|reason|context)\b|\bemoji\b.*\balone\b|\bsolo emojis?\b/;

/** Content of a few words where a clause wants more than that. */
export const compileBarenessChecks: CheckCompiler = (clause) => {
  const against = speaksAgainst(clause.role) || clause.role === "discretion";
  if (!against || !BARENESS.test(clause.lower)) return NO_CHECKS;
  return [
    {
      property: "bareness",
      judge: (view) => {
        const { count } = view.words;
        if (count <= 5) return 0.7;
        if (count <= 12) return 0.5;
        if (count <= 20) return 0.15;
        return count > 40 ? -0.3 : 0;
      },
      tell: (view) => `consists of ${view.words.count} words`,
    },
  ];
};
