import type { MaybeFigure } from "./missing.js";
import { percent, whole } from "./numbers.js";
import type { ReportPage } from "./report-page.js";
import { FEWEST_CITATIONS } from "./rule-ambiguity.js";
import { type CitedRule, mostOpen, type ReportRule, ruleName, rulePoints } from "./rule-points.js";

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
    title: title(own[0], platform[0]),
    caption: `Its own rules that at least ${FEWEST_OWN} verdicts cite, and the platform's with at least ${FEWEST_CITATIONS}, of which the citations in all communities count. Lines: 95 % intervals. Pure AI leaves out decisions that are themselves indefensible.`,
  });
}

function title(own: CitedRule | undefined, platform: CitedRule | undefined): string {
  const rule = own ?? platform!;
  const { k = 0, n, estimate } = rule.ambiguity_index;
  const whose = own ? "its own rules" : "the platform's rules";
  const share = `${whole(k)} of ${whole(n)} verdicts that cite it could go the other way (${percent(estimate, 0)})`;
  return k === 0
    ? `Under none of ${whose} could a verdict that cites it go the other way`
    : `Of ${whose}, ${ruleName(rule, false)} leaves most open: ${share}`;
}
