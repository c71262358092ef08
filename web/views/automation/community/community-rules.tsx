import { useMemo } from "react";
import {
  bindsCommunity,
  byOpenBothWays,
  communityRulesFigure,
} from "../../../../src/present/figures/rule-ambiguity.js";
import { byCount } from "../../../../src/present/words/numbers.js";
import { usePage } from "../../../data/page-context.ts";
import { Chart } from "../../../parts/chart/chart.tsx";
import { RuleLink } from "../../../parts/links.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { RuleTable } from "../../../parts/tables/rule-table.tsx";
import { Section } from "../../../parts/text/prose.tsx";

const MOST_HERE = 3;

/** The rules that bind the community, the ones that leave most open first. */
export function CommunityRules({ community }: { community: string }) {
  const page = usePage();
  const figure = useMemo(() => communityRulesFigure(page, community), [page, community]);
  const rules = useMemo(
    () =>
      page.report.rules
        .map((rule, place) => ({ ...rule, place }))
        .filter((rule) => bindsCommunity(rule, community))
        .sort((a, b) => Number(a.scope === "platform") - Number(b.scope === "platform") || byOpenBothWays(a, b)),
    [page, community],
  );
  return (
    <Section id="rules-head" title="Which rules leave it open">
      <OpenHere community={community} />
      <Chart figure={figure} />
      <RuleTable
        id="community-rules"
        caption="The community's own rules, and the platform's. Citations of platform rules are those of all communities."
        rules={rules}
        first={12}
      />
    </Section>
  );
}

/** The community's own counts of the rules that its open verdicts cite most. */
function OpenHere({ community }: { community: string }) {
  const { communities, report } = usePage();
  const place = communities.findIndex((one) => one.community === community);
  const rules = (communities[place]?.ambiguous_rules ?? [])
    .map((rule, i) => ({ ...rule, i }))
    .filter(({ inverse_yes_pure }) => inverse_yes_pure > 0)
    .sort((a, b) => b.inverse_yes_pure - a.inverse_yes_pure || b.n - a.n)
    .slice(0, MOST_HERE);
  if (rules.length === 0) {
    return <p>No verdict of this community that cites a rule could have gone either way.</p>;
  }
  return (
    <>
      <p>Here, the verdicts that could have gone either way cite these rules most:</p>
      <ul className="plain">
        {rules.map(({ scope, owner, rule_id, n, i }) => {
          const title = report.rules.find((rule) => rule.community === owner && rule.rule_id === rule_id)?.title;
          const at = `/communities/${place}/ambiguous_rules/${i}`;
          return (
            <li key={`${scope} ${rule_id}`}>
              <RuleLink rule={{ scope, community: owner, rule_id }} title={title} />
              {scope === "platform" && " (platform)"}: <Num at={`${at}/inverse_yes_pure`} as="whole" /> of{" "}
              <Num at={`${at}/n`} as="whole" /> {byCount(n, "verdict that cites", "verdicts that cite")} it here
            </li>
          );
        })}
      </ul>
    </>
  );
}
