import { useMemo } from "react";
import {
  communityHistory,
  communityTimelineFigure,
  type StateStretch,
  stateStretches,
} from "../../../../src/present/figures/community-timeline.js";
import { plural } from "../../../../src/present/words/numbers.js";
import type { GateSettings } from "../../../data/gate-settings.ts";
import { usePage } from "../../../data/page-context.ts";
import { Chart } from "../../../parts/chart/chart.tsx";
import { StateBadge } from "../../../parts/gate-parts.tsx";
import { Section } from "../../../parts/text/prose.tsx";

/** Its rates over time, and the state that the gate would have given it at each period's end. */
export function CommunityHistory({ community, settings }: { community: string; settings: GateSettings }) {
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

/** One stretch after another, as wide as it is long; the words below say the same. */
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
