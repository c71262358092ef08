import { useMemo } from "react";
import { countOf } from "../../../../src/core/estimate.js";
import type { CommunityEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import {
  communityHistory,
  communityLevelsFigure,
  communityTimelineFigure,
  type StateStretch,
  stateStretches,
} from "../../../../src/present/figures/community-figures.js";
import { contradicted } from "../../../../src/present/figures/rule-ambiguity.js";
import { byCount, plural, whole } from "../../../../src/present/words/numbers.js";
import { otherAction, STATE_WORDS } from "../../../../src/present/words/words.js";
import { type GateSettings, gateQuery } from "../../../data/gate-settings.ts";
import { usePage } from "../../../data/page-context.ts";
import { useCommunityGate } from "../../../data/use-community-gate.ts";
import { Chart } from "../../../parts/chart/chart.tsx";
import { StateBadge } from "../../../parts/gate-parts.tsx";
import { KeyFigures } from "../../../parts/numbers/key-figures.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { Section } from "../../../parts/text/prose.tsx";
import { Term } from "../../../parts/text/term.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { routeHash } from "../../../route/route.ts";
import { useRoute } from "../../../route/use-route.ts";
import { CommunityGate } from "./community-gate.tsx";
import { CommunityDecisions, CommunityRules } from "./community-rules.tsx";

/** A community; `place` is its index in the report. */
export function CommunityPage({ place }: { place: number }) {
  const page = usePage();
  const { query } = useRoute();
  const { evaluation, settings } = useCommunityGate();
  const { community } = page.report.communities[place]!;
  const gatePlace = evaluation.communities.findIndex((one) => one.community === community);
  const gate = evaluation.communities[gatePlace];
  const at = `/report/communities/${place}`;
  const levels = useMemo(() => communityLevelsFigure(page, community), [page, community]);
  return (
    <div className="view community">
      <p className="back">
        <a href={routeHash("automation", [], gateQuery(query))}>All communities</a>
      </p>
      <h1>
        <UserText text={community} max={80} />
      </h1>
      <CommunityLead place={place} gate={gate} />
      <KeyFigures
        of={[
          { term: "DI", name: "Defensibility Index", at: `${at}/defensibility_index`, note: "follow from the rules" },
          { term: "AI", name: "Ambiguity Index", at: `${at}/ambiguity_index`, note: "opposite would follow too" },
          {
            term: "AI_pure",
            name: "Pure ambiguity",
            at: `${at}/ambiguity_pure`,
            note: "decision and opposite both follow",
          },
          {
            term: "accuracy",
            name: "Agreement with people",
            at: `${at}/agreement/accuracy`,
            note: "same as the person's label",
          },
          {
            term: "gap, DI − accuracy",
            name: "Gap to agreement",
            at: `${at}/gap/di_minus_accuracy`,
            as: "points",
            note: "what agreement leaves out",
          },
        ]}
      />
      <CommunityGate community={community} gate={gate} mark={`/gate/communities/${gatePlace}`} settings={settings} />
      <CommunityHistory community={community} settings={settings} />
      <Section id="levels-head" title="How its decisions follow from the rules">
        <Chart figure={levels} />
      </Section>
      <CommunityRules community={community} />
      <CommunityDecisions community={community} />
    </div>
  );
}

/** A community in two sentences. */
export function CommunityLead({ place, gate }: { place: number; gate: CommunityEvaluation | undefined }) {
  const { report } = usePage();
  const { counts, defensibility_index, ambiguity_pure } = report.communities[place]!;
  const at = `/report/communities/${place}`;
  const open = countOf(ambiguity_pure);
  const wrong = contradicted(report.communities[place]!);
  const other = otherAction(report);
  const missing = counts.attempted - counts.verdicts;
  if (counts.attempted === 0 && counts.no_rules > 0) {
    return (
      <p className="lead">
        No rule is in force for its <Num at={`${at}/counts/no_rules`} as="whole" />{" "}
        {byCount(counts.no_rules, "decision", "decisions")}, so nothing can be derived and nothing was audited.
      </p>
    );
  }
  if (defensibility_index.estimate === null || ambiguity_pure.estimate === null) {
    return (
      <p className="lead">
        {counts.attempted === 1 ? "Its one decision has no" : `None of its ${whole(counts.attempted)} decisions has a`}{" "}
        verdict, so nothing can be said about it.
      </p>
    );
  }
  return (
    <p className="lead">
      {gate && (
        <>
          <Term symbol="state">{STATE_WORDS[gate.state].name}</Term>. {STATE_WORDS[gate.state].meaning}{" "}
        </>
      )}
      Of <Num at={`${at}/counts/verdicts`} as="whole" /> {byCount(counts.verdicts, "decision", "decisions")}{" "}
      <Num at={`${at}/defensibility_index/k`} as="whole" /> {byCount(countOf(defensibility_index), "follows", "follow")}{" "}
      from the rules
      {open > 0 && (
        <>
          , but for <Num at={`${at}/ambiguity_pure/k`} as="whole" /> of{" "}
          {byCount(countOf(defensibility_index), "it", "them")} {other} would follow just as well
        </>
      )}
      .{wrong > 0 && ` In ${whole(wrong)} of the others the rules support only ${other}.`}
      {missing > 0 && ` ${plural(missing, "decision")} could not be scored.`}
    </p>
  );
}

/** Its rates over time, and its gate state at the end of each period. */
function CommunityHistory({ community, settings }: { community: string; settings: GateSettings }) {
  const page = usePage();
  const figure = useMemo(() => communityTimelineFigure(page, community, settings), [page, community, settings]);
  const stretches = useMemo(
    () => stateStretches(communityHistory(page, community, settings)),
    [page, community, settings],
  );
  return (
    <Section id="history-head" title="Over time">
      {stretches.length > 0 && <StateStrip stretches={stretches} unit={page.timeline!.unit} />}
      <Chart figure={figure} />
    </Section>
  );
}

/** Stretches with widths proportional to their length; the words below repeat them. */
function StateStrip({ stretches, unit }: { stretches: readonly StateStretch[]; unit: string }) {
  return (
    <div className="strip-frame">
      <p className="muted small">
        State at the end of each {unit}, by the rates of all dated decisions so far and the limits above
      </p>
      <ol className="strip">
        {stretches.map(({ state, from, to, periods }) => (
          <li key={from} className={`stretch stretch-${state}`} style={{ flexGrow: periods }}>
            <StateBadge state={state} />
            <span className="small muted">
              {from === to ? from : `${from} to ${to}`} · {plural(periods, unit)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
