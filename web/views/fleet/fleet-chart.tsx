import { memo, useCallback, useMemo } from "react";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { fleetFigureOf } from "../../../src/present/figures/fleet-states.js";
import { gateQuery } from "../../data/gate-settings.ts";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart.tsx";
import { isCommunity } from "../../parts/links.tsx";
import { parseRoute, routeHash } from "../../route/route.ts";
import { useQuery } from "../../route/use-route.ts";
import { PointStepper } from "./point-stepper.tsx";

/** The scatter of the fleet under the settings of the address. A click, or Enter on the slider below, opens a community. */
export const FleetChart = memo(function FleetChart({ gate }: { gate: GateEvaluation }) {
  const figure = useMemo(() => fleetFigureOf(gate), [gate]);
  const [picked, setPicked] = useQuery("point");
  const page = usePage();
  const open = useCallback(
    (community: string) => {
      if (!isCommunity(page, community)) return;
      const { query } = parseRoute(window.location.hash);
      window.location.hash = routeHash("community", [community], gateQuery(query));
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
