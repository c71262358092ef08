import { useMemo } from "react";
import { communityLevelsFigure } from "../../../../src/present/figures/levels.js";
import { gateQuery } from "../../../data/gate-settings.ts";
import { usePage } from "../../../data/page-context.ts";
import { useCommunityGate } from "../../../data/use-community-gate.ts";
import { Chart } from "../../../parts/chart/chart.tsx";
import { KeyFigures } from "../../../parts/numbers/key-figures.tsx";
import { Section } from "../../../parts/text/prose.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { routeHash } from "../../../route/route.ts";
import { useRoute } from "../../../route/use-route.ts";
import { CommunityDecisions } from "./community-decisions.tsx";
import { CommunityGate } from "./community-gate.tsx";
import { CommunityHistory } from "./community-history.tsx";
import { CommunityLead } from "./community-lead.tsx";
import { CommunityRules } from "./community-rules.tsx";

/** Everything about one community; `place` is its place among the report's. */
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
