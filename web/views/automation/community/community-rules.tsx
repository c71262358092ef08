import { useMemo } from "react";
import { LOOK_REASONS } from "../../../../src/measures/report-page.js";
import {
  bindsCommunity,
  byOpenBothWays,
  communityRulesFigure,
} from "../../../../src/present/figures/rule-ambiguity.js";
import { byCount, plural, whole } from "../../../../src/present/words/numbers.js";
import { REASON_WORDS } from "../../../../src/present/words/words.js";
import { usePage } from "../../../data/page-context.ts";
import { Chart } from "../../../parts/chart/chart.tsx";
import { SelectBox } from "../../../parts/controls/choices.tsx";
import { RuleLink } from "../../../parts/links.tsx";
import { NoDecisions } from "../../../parts/nothing.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { RuleTable } from "../../../parts/tables/rule-table.tsx";
import { Section } from "../../../parts/text/prose.tsx";
import { routeHash } from "../../../route/route.ts";
import { useQuery } from "../../../route/use-route.ts";
import { DecisionTable } from "../../review/decision-table.tsx";

const MOST_HERE = 3;

/** The rules that bind the community, the most open first. */
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

const COLUMNS = ["reason", "decision", "human", "level", "inverse", "p_defensible"];

/** Its decisions with a reason to review, most urgent first. */
export function CommunityDecisions({ community }: { community: string }) {
  const { report, decisions: all } = usePage();
  const [reason, setReason] = useQuery("reason", "", "decisions");
  const own = useMemo(() => all.filter((decision) => decision.community === community), [all, community]);
  const shown = useMemo(
    () => (reason ? own.filter(({ reasons }) => (reasons as string[]).includes(reason)) : own),
    [own, reason],
  );
  const list = useMemo(() => ({ community, ...(reason ? { reason } : {}) }), [community, reason]);
  const counts = report.communities.find((one) => one.community === community)?.counts;
  const attempted = counts ? counts.attempted + counts.no_rules : 0;
  return (
    <Section id="decisions-head" title="Decisions to look at first">
      {own.length === 0 ? (
        <NoDecisions of="this community" />
      ) : (
        <>
          {own.length < attempted && (
            <p className="muted">
              {`This report lists ${plural(own.length, "decision")} of the community's ${whole(attempted)}: the most urgent.`}
            </p>
          )}
          <div className="controls">
            <SelectBox
              label="Reason to review"
              all="any reason"
              value={reason}
              options={LOOK_REASONS.filter((one) => own.some(({ reasons }) => reasons.includes(one))).map((one) => ({
                value: one,
                name: REASON_WORDS[one].name,
              }))}
              onChange={setReason}
            />
          </div>
          {reason && <p className="muted">{REASON_WORDS[reason as keyof typeof REASON_WORDS]?.meaning}</p>}
          <DecisionTable
            id="decisions"
            caption="Decisions, most urgent first"
            decisions={shown}
            list={list}
            columns={COLUMNS}
          />
          <p>
            <a href={routeHash("review", [], list)}>These decisions in the list of all, with more filters</a>
          </p>
        </>
      )}
    </Section>
  );
}
