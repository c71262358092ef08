import { useMemo } from "react";
import { bindsCommunity, communityRulesFigure } from "../../../src/figures/community-rules.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart.tsx";
import { RuleLink } from "../../parts/links.tsx";
import { Num } from "../../parts/num.tsx";
import { RuleTable } from "../../parts/rule-table.tsx";

/** The rules that bind the community, the ones that leave most open first. */
export function CommunityRules({ community }: { community: string }) {
  const page = usePage();
  const figure = useMemo(() => communityRulesFigure(page, community), [page, community]);
  const rules = useMemo(
    () =>
      page.report.rules
        .map((rule, place) => ({ ...rule, place }))
        .filter((rule) => bindsCommunity(rule, community))
        // Sorting keeps the report's order otherwise: most cited first.
        .sort((a, b) => Number(a.scope === "platform") - Number(b.scope === "platform")),
    [page, community],
  );
  return (
    <section aria-labelledby="rules-head">
      <h2 id="rules-head">Which rules leave it open</h2>
      <OpenHere community={community} />
      <Chart figure={figure} />
      <RuleTable
        id="community-rules"
        caption="The community's own rules, and the platform's. Citations of platform rules are those of all communities."
        rules={rules}
        first={12}
      />
    </section>
  );
}

/** The community's own counts of the rules that its open verdicts cite most. */
function OpenHere({ community }: { community: string }) {
  const { communities, report } = usePage();
  const place = communities.findIndex((one) => one.community === community);
  const rules = communities[place]?.ambiguous_rules ?? [];
  if (rules.length === 0) {
    return <p>No verdict of this community is both open and under a rule that it cites.</p>;
  }
  return (
    <>
      <p>Here, the verdicts whose opposite could be derived too cite these rules most:</p>
      <ul className="plain">
        {rules.map(({ scope, owner, rule_id }, i) => {
          const title = report.rules.find((rule) => rule.community === owner && rule.rule_id === rule_id)?.title;
          const at = `/communities/${place}/ambiguous_rules/${i}`;
          return (
            <li key={`${scope} ${rule_id}`}>
              <RuleLink rule={{ scope, community: owner, rule_id }} title={title} />
              {scope === "platform" && " (platform)"}: <Num at={`${at}/inverse_yes`} as="whole" /> of{" "}
              <Num at={`${at}/n`} as="whole" /> verdicts that cite it here
            </li>
          );
        })}
      </ul>
    </>
  );
}
