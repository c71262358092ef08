import { useGateEvaluation } from "../../data/use-gate.ts";
import { GateControls } from "../../parts/gate-controls.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { CommunityTable } from "./community-table.tsx";
import { FleetChart } from "./fleet-chart.tsx";
import { FleetLead } from "./fleet-lead.tsx";
import { FleetNumbers } from "./fleet-numbers.tsx";
import { ModesTable } from "./modes-table.tsx";
import { StatesTable } from "./states-table.tsx";
import { WhatIf } from "./what-if.tsx";

/** Every community by its Defensibility and Ambiguity Index, and what a gate with these limits would do. */
export function FleetView() {
  const { evaluation, settings, stale } = useGateEvaluation();
  if (evaluation.communities.every(({ n }) => n === 0)) {
    return (
      <div className="view">
        <h1>Which communities could run on their own?</h1>
        <Nothing why="No community has a verdict yet, so there is no fleet to show." command="defensible audit" />
      </div>
    );
  }
  return (
    <div className="view fleet" aria-busy={stale}>
      <h1>Which communities could run on their own?</h1>
      <FleetLead gate={evaluation} />
      <section aria-labelledby="limits">
        <h2 id="limits">Limits of the gate</h2>
        <GateControls />
        <WhatIf settings={settings} />
        <FleetNumbers gate={evaluation} />
      </section>
      <section aria-labelledby="states">
        <h2 id="states">States of the fleet</h2>
        <FleetChart gate={evaluation} />
        <StatesTable gate={evaluation} />
      </section>
      <section aria-labelledby="modes">
        <h2 id="modes">What each mode promises</h2>
        <ModesTable gate={evaluation} />
      </section>
      <section aria-labelledby="communities-title">
        <h2 id="communities-title">Communities</h2>
        <CommunityTable gate={evaluation} />
      </section>
    </div>
  );
}
