import type { ReportPage } from "../../measures/report-page.js";
import { percent, plural, whole } from "../words/numbers.js";
import type { MaybeFigure } from "./missing.js";
import { mostOpen, openBothWays, ruleName, rulePoints } from "./rule-points.js";

const MOST_RULES = 15;
/** With fewer citations a rule's share says little. */
export const FEWEST_CITATIONS = 5;

/** What the second point of a rule adds to the first. */
export const BOTH_POINTS =
  "Pure ambiguity (pure AI): the decision and its opposite both follow. Ambiguity (AI) counts decisions too that are wrong and whose opposite follows: errors of the decider, which clearer words do not mend.";

/** The rules that most verdicts cite which could have gone either way. */
export function ruleAmbiguityFigure({ report }: ReportPage): MaybeFigure {
  const cited = mostOpen(report.rules, FEWEST_CITATIONS);
  const shown = cited.slice(0, MOST_RULES);
  const worst = shown[0];
  if (!worst) {
    return { missing: `No rule is cited by ${FEWEST_CITATIONS} verdicts or more, so their shares would say nothing.` };
  }
  const { n, estimate } = worst.ambiguity_pure;
  const open = openBothWays(worst);
  const of = plural(cited.length, "rule");
  const all = cited.length === 1 ? "The one rule" : `All ${of}`;
  const which = shown.length === cited.length ? all : `The ${shown.length} with most verdicts open both ways of ${of}`;
  return rulePoints(shown, true, {
    id: "rule-ambiguity",
    title:
      open === 0
        ? `No rule that ${FEWEST_CITATIONS} verdicts or more cite left one open both ways`
        : `${amongWhich(report.rules, open)} leaves more verdicts open than ${ruleName(worst)}: ${whole(open)} of ${whole(n)} that cite it could have gone either way (${percent(estimate, 0)})`,
    caption: `${which} that at least ${FEWEST_CITATIONS} verdicts cite, in the order of how many could have gone either way: the count before each name. ${BOTH_POINTS} Lines: 95 % intervals.`,
  });
}

/** A rule that few verdicts cite may have left more open than those that are drawn. */
function amongWhich(rules: ReportPage["report"]["rules"], open: number): string {
  return rules.some((rule) => openBothWays(rule) > open)
    ? `No rule that ${FEWEST_CITATIONS} verdicts or more cite`
    : "No rule";
}
