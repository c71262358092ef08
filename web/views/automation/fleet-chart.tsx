import { memo, useCallback, useId, useMemo } from "react";
import type { CommunityEvaluation, GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { fleetFigureOf } from "../../../src/present/figures/report-figures.js";
import { percent, plural } from "../../../src/present/words/numbers.js";
import { nameText } from "../../../src/present/words/vocabulary.js";
import { STATE_WORDS, VARIABLE_WORDS } from "../../../src/present/words/words.js";
import { gateQuery } from "../../data/gate-settings.ts";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { CohortName, isCommunity } from "../../parts/links.tsx";
import { parseRoute, routeHash } from "../../route/route.ts";
import { useQuery } from "../../route/use-route.ts";

/** The fleet's scatter under the settings in the address. A click, or Enter on the slider below, opens a community. */
export const FleetChart = memo(function FleetChart({ gate }: { gate: GateEvaluation }) {
  const figure = useMemo(() => fleetFigureOf(gate), [gate]);
  const [picked, setPicked] = useQuery("point");
  const page = usePage();
  const open = useCallback(
    (community: string) => {
      if (!isCommunity(page, community)) return;
      const { query } = parseRoute(window.location.hash);
      window.location.hash = routeHash("automation", ["community", community], gateQuery(query));
    },
    [page],
  );
  const pick = useMemo(() => ({ picked, onPick: open }), [picked, open]);
  return (
    <div className="fleet-chart">
      <Chart figure={figure} pick={pick} />
      <PointStepper gate={gate} picked={picked} onStep={setPicked} onOpen={open} />
    </div>
  );
});

interface PointStepperProps {
  gate: GateEvaluation;
  /** The selected community; "" for none. */
  picked: string;
  onStep: (community: string) => void;
  onOpen: (community: string) => void;
}

/** Steps through the points, lowest defensibility first, without a pointer; the selected one is marked in the chart. */
function PointStepper({ gate, picked, onStep, onOpen }: PointStepperProps) {
  const id = useId();
  const order = useMemo(
    () =>
      gate.communities
        .filter(({ n }) => n > 0)
        .sort((a, b) => Number(isFew(a)) - Number(isFew(b)) || a.di! - b.di! || b.n - a.n),
    [gate],
  );
  const place = order.findIndex(({ community }) => community === picked);
  const one = order[place];
  const facts = one && factsOf(one, gate);
  return (
    <div className="stepper">
      <label htmlFor={id}>Step through the points</label>
      <input
        id={id}
        type="range"
        min={0}
        max={order.length}
        value={place + 1}
        aria-valuetext={one ? `${nameText(one.community, 60)}: ${facts}` : "none"}
        onChange={(event) => onStep(order[event.target.valueAsNumber - 1]?.community ?? "")}
        onKeyDown={(event) => {
          if (event.key === "Enter" && one) onOpen(one.community);
        }}
      />
      <p>
        {one ? (
          <>
            <CohortName name={one.community} />: {facts}
          </>
        ) : (
          <span className="muted">Lowest defensibility first; Enter opens the community.</span>
        )}
      </p>
    </div>
  );
}

/** Those with too few decisions come last: some lie outside the chart. */
const isFew = ({ state }: CommunityEvaluation) => state === "insufficient";

function factsOf(one: CommunityEvaluation, { variable }: GateEvaluation): string {
  const ambiguity = variable === "ai" ? one.ai : one.ai_pure;
  const between = (bounds: { lower: number; upper: number } | null) =>
    bounds ? ` (${percent(bounds.lower)} to ${percent(bounds.upper)})` : "";
  return `Defensibility ${percent(one.di!)}${between(one.di_interval)}, ${VARIABLE_WORDS[variable].name.toLowerCase()} ${percent(ambiguity!)}${between(one.ambiguity_interval)}, ${plural(one.n, "verdict")}, ${STATE_WORDS[one.state].name.toLowerCase()}`;
}
