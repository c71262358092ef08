import type { MaybeFigure } from "./missing.js";
import { percent, plural, whole } from "./numbers.js";
import type { ReportPage } from "./report-page.js";
import { mostOpen, openBothWays, ruleName, rulePoints } from "./rule-points.js";

const MOST_RULES = 15;
/** With fewer citations a rule's share says little. */
export const FEWEST_CITATIONS = 5;

/** What the second point of a rule adds to the first. */
export const BOTH_POINTS =
  "Pure AI: the decision and its opposite both follow. AI counts decisions too that are wrong and whose opposite follows: errors of the decider, which clearer words do not mend.";

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
  const which = shown.length === cited.length ? "All" : `The ${shown.length} with most verdicts open both ways of`;
  return rulePoints(shown, true, {
    id: "rule-ambiguity",
    title:
      open === 0
        ? `No rule that ${FEWEST_CITATIONS} verdicts or more cite left one open both ways`
        : `${amongWhich(report.rules, open)} leaves more open than ${ruleName(worst)}: ${whole(open)} of ${plural(n, "verdict")} that cite it could have gone either way (${percent(estimate, 0)})`,
    caption: `${which} ${plural(cited.length, "rule")} that at least ${FEWEST_CITATIONS} verdicts cite. ${BOTH_POINTS} Lines: 95 % intervals.`,
  });
}

/** A rule that few verdicts cite may have left more open than those that are drawn. */
function amongWhich(rules: ReportPage["report"]["rules"], open: number): string {
  return rules.some((rule) => openBothWays(rule) > open)
    ? `No rule that ${FEWEST_CITATIONS} verdicts or more cite`
    : "No rule";
}
