import type { RuleAmbiguity } from "../../measures/gate/advice.js";
import type { GateVariable } from "../../measures/gate/gate-input.js";
import type { ReportPage } from "../../measures/report-page.js";
import { ruleKey } from "./rule-texts.js";

/** For the gate's advice: the rules under which most of a community's verdicts are open, as `defensible gate` counts them. */
export function rulesByCommunity(
  page: ReportPage,
  variable: GateVariable,
): (community: string) => readonly RuleAmbiguity[] | undefined {
  const titles = new Map(page.report.rules.map((rule) => [ruleKey(rule), rule.title]));
  const rules = new Map(
    page.communities.map(({ community, ambiguous_rules }) => [
      community,
      ambiguous_rules.map(({ scope, owner, rule_id, n, inverse_yes, inverse_yes_pure, open_labels }) => ({
        rule_id,
        scope,
        n,
        yes: variable === "ai" ? inverse_yes : inverse_yes_pure,
        title: titles.get(ruleKey({ scope, community: owner, rule_id })) ?? "title not known",
        open_labels,
      })),
    ]),
  );
  return (community) => rules.get(community);
}
