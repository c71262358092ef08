import type { MaybeFigure } from "./missing.js";
import { percent, plural, whole } from "./numbers.js";
import type { ReportPage } from "./report-page.js";
import { mostOpen, ruleName, rulePoints } from "./rule-points.js";

const MOST_RULES = 15;
/** With fewer citations a rule's share says little. */
export const FEWEST_CITATIONS = 5;

/** The rules that most open verdicts cite. */
export function ruleAmbiguityFigure({ report }: ReportPage): MaybeFigure {
  const cited = mostOpen(report.rules, FEWEST_CITATIONS);
  const shown = cited.slice(0, MOST_RULES);
  const worst = shown[0];
  if (!worst) {
    return { missing: `No rule is cited by ${FEWEST_CITATIONS} verdicts or more, so their shares would say nothing.` };
  }
  const { k = 0, n, estimate } = worst.ambiguity_index;
  const which = shown.length === cited.length ? "All" : `The ${shown.length} with most open verdicts of`;
  return rulePoints(shown, true, {
    id: "rule-ambiguity",
    title: `Most open verdicts cite ${ruleName(worst)}: under it the opposite could be derived in ${whole(k)} of ${whole(n)} (${percent(estimate, 0)})`,
    caption: `${which} ${plural(cited.length, "rule")} that at least ${FEWEST_CITATIONS} verdicts cite. Lines: 95 % intervals. Pure AI leaves out decisions that are themselves indefensible.`,
  });
}
