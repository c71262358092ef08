import type { ReportPage } from "../../measures/report-page.js";
import { percent, whole } from "../words/numbers.js";
import type { MaybeFigure } from "./missing.js";
import { BOTH_POINTS, FEWEST_CITATIONS } from "./rule-ambiguity.js";
import { type CitedRule, mostOpen, openBothWays, type ReportRule, ruleName, rulePoints } from "./rule-points.js";

const MOST_OF_EACH = 10;
/** A community has few decisions for each of its rules. */
const FEWEST_OWN = 2;

/** The platform's rules bind every community. */
export function bindsCommunity(rule: Pick<ReportRule, "scope" | "community">, community: string): boolean {
  return rule.scope === "platform" || rule.community === community;
}

/** The rules that bind a community, its own first, with what they leave open. */
export function communityRulesFigure({ report }: ReportPage, community: string): MaybeFigure {
  const rules = report.rules.filter((rule) => bindsCommunity(rule, community));
  const own = mostOpen(
    rules.filter(({ scope }) => scope !== "platform"),
    FEWEST_OWN,
  ).slice(0, MOST_OF_EACH);
  const platform = mostOpen(
    rules.filter(({ scope }) => scope === "platform"),
    FEWEST_CITATIONS,
  ).slice(0, MOST_OF_EACH);
  const shown = [...own, ...platform];
  if (shown.length === 0) {
    return { missing: "No rule that binds this community is cited often enough for its share to say anything." };
  }
  return rulePoints(shown, false, {
    id: "community-rules",
    title: title(own[0], platform[0]!),
    caption: `Its own rules that at least ${FEWEST_OWN} verdicts cite, and the platform's with at least ${FEWEST_CITATIONS}, of which the citations in all communities count; before each name how many could have gone either way. ${BOTH_POINTS} Lines: 95 % intervals.`,
  });
}

function title(own: CitedRule | undefined, platform: CitedRule): string {
  const rule = own ?? platform;
  const { n, estimate } = rule.ambiguity_pure;
  const open = openBothWays(rule);
  const whose = own ? "its own rules" : "the platform's rules";
  const share = `${whole(open)} of ${whole(n)} that cite it${own ? "" : " in all communities"} could have gone either way (${percent(estimate, 0)})`;
  const among = `${whose} that ${own ? FEWEST_OWN : FEWEST_CITATIONS} verdicts or more cite`;
  return open === 0
    ? `None of ${among} left one open both ways`
    : `None of ${among} leaves more verdicts open than ${ruleName(rule, false)}: ${share}`;
}
