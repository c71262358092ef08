import { memo } from "react";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { STATE_WORDS } from "../../../src/present/words/words.js";
import { Shown } from "../../parts/num.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Term } from "../../parts/term.tsx";

/** The fleet by state: how many, how large, how good. */
export const StatesTable = memo(function StatesTable({ gate }: { gate: GateEvaluation }) {
  const [symbol, ambiguity] = gate.variable === "ai" ? ["AI", "ambiguity"] : ["AI_pure", "pure ambiguity"];
  return (
    <PlainTable
      caption="By the rates as seen, whatever the mode; means count each community once"
      heads={[
        { key: "state", name: "State" },
        { key: "communities", name: "Communities", align: "right" },
        { key: "decisions", name: "Decisions", align: "right" },
        {
          key: "di",
          name: [
            "Mean ",
            <Term key="DI" symbol="DI">
              defensibility
            </Term>,
          ],
          align: "right",
        },
        {
          key: "ai",
          name: [
            "Mean ",
            <Term key="AI" symbol={symbol}>
              {ambiguity}
            </Term>,
          ],
          align: "right",
        },
        { key: "meaning", name: "Meaning" },
      ]}
      rows={gate.states.map(({ state, communities, decisions, mean_di, mean_ai }, place) => ({
        key: state,
        cells: [
          <StateBadge key="state" state={state} />,
          <Shown key="communities" value={communities} as="whole" mark={`/gate/states/${place}/communities`} />,
          <Shown key="decisions" value={decisions} as="whole" mark={`/gate/states/${place}/decisions`} />,
          <Shown key="di" value={mean_di} mark={`/gate/states/${place}/mean_di`} />,
          <Shown key="ai" value={mean_ai} mark={`/gate/states/${place}/mean_ai`} />,
          <span key="meaning" className="meaning-cell">
            {STATE_WORDS[state].meaning}
          </span>,
        ],
      }))}
    />
  );
});
