import type { Check, CheckCompiler } from "../clause.js";

const TITLE_IS_QUESTION = /\btitles?\b.*\bquestions?\b|\bquestion\b.*\btitles?\b|^questions? in the title/;
const YES_NO = /\byes(?:\/| or | and )no\b/;
const ONE_QUESTION = /\b(?:one|single|exactly one) (?:clear )?question\b/;
const AUXILIARY = /^(?:is|are|was|were|do|does|did|have|has|had|can|could|should|would|will|am|may)\b/i;
const OPEN_WORD = /\b(?:why|how|what|which|who|where|when)\b/i;

/** The form of the title (a question or not, open or yes/no) and the number of questions. */
export const compileQuestionChecks: CheckCompiler = (clause, rule) => {
  const checks: Check[] = [];
  const demand = clause.role === "requirement" || (clause.isTitle && rule.kind === "requirement");
  if (demand && TITLE_IS_QUESTION.test(clause.lower)) {
    checks.push({
      property: "question title",
      judge: (view) => (view.headline === "" ? 0 : endsAsQuestion(view.headline) ? -0.4 : 1),
      tell: (view) =>
        endsAsQuestion(view.headline) ? "has a title that ends as a question" : "has a title that is no question",
    });
  }
  if (ONE_QUESTION.test(clause.lower) && clause.role !== "exemption") {
    const inTitle = /\btitles?\b/.test(clause.lower);
    checks.push({
      property: "number of questions",
      indirect: true,
      judge: (view) => {
        if (inTitle && view.headline === "") return 0;
        const count = inTitle ? marks(view.headline) : view.title.questionMarks + view.body.questionMarks;
        if (count <= 1) return -0.2;
        return inTitle ? 0.9 : Math.min(0.6, 0.15 * (count - 1));
      },
      tell: (view) =>
        `asks with ${inTitle ? marks(view.headline) : view.title.questionMarks + view.body.questionMarks} question marks`,
    });
  }
  if (YES_NO.test(clause.lower) && clause.role !== "exemption") {
    checks.push({
      property: "yes/no question",
      judge: (view) => (view.headline === "" ? 0 : isYesNo(view.headline) ? 0.9 : -0.2),
      tell: (view) =>
        isYesNo(view.headline)
          ? "has a title that can be answered by yes or no"
          : "has a title that asks for more than yes or no",
    });
  }
  return checks;
};

function marks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("?"); at >= 0; at = text.indexOf("?", at + 1)) count++;
  return count;
}

function withoutTags(headline: string): string {
  return headline.replace(/^(?:\s*\[[^\]]{1,30}\])+\s*/, "");
}

function endsAsQuestion(headline: string): boolean {
  return /[?？؟](?:["'”’)\s]|\p{Extended_Pictographic}|\ufe0f)*$/u.test(headline);
}

function isYesNo(headline: string): boolean {
  const bare = withoutTags(headline);
  return AUXILIARY.test(bare) && !OPEN_WORD.test(bare) && endsAsQuestion(bare);
}
