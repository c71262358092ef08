import { memo } from "react";
import { STATE_WORDS } from "../../../src/figures/words.js";
import type { GateEvaluation } from "../../../src/gate/gate-evaluation.js";
import { Shown } from "../../parts/num.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Term } from "../../parts/term.tsx";

/** The fleet by state: how many, how large, how good. */
export const StatesTable = memo(function StatesTable({ gate }: { gate: GateEvaluation }) {
  const ambiguity = gate.variable === "ai" ? "AI" : "Pure AI";
  return (
    <div className="table-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen must scroll by keyboard too */}
      <section className="table-scroll" tabIndex={0} aria-label="Table of the states">
        <table id="fleet-states-table">
          <caption>By the rates as seen, whatever the mode; means count each community once</caption>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col" className="right">
                Communities
              </th>
              <th scope="col" className="right">
                Decisions
              </th>
              <th scope="col" className="right">
                Mean <Term symbol="DI" />
              </th>
              <th scope="col" className="right">
                Mean <Term symbol={gate.variable === "ai" ? "AI" : "AI_pure"}>{ambiguity}</Term>
              </th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {gate.states.map(({ state, communities, decisions, mean_di, mean_ai }, place) => (
              <tr key={state}>
                <th scope="row">
                  <StateBadge state={state} />
                </th>
                <td className="right">
                  <Shown value={communities} as="whole" mark={`/gate/states/${place}/communities`} />
                </td>
                <td className="right">
                  <Shown value={decisions} as="whole" mark={`/gate/states/${place}/decisions`} />
                </td>
                <td className="right">
                  <Shown value={mean_di} mark={`/gate/states/${place}/mean_di`} />
                </td>
                <td className="right">
                  <Shown value={mean_ai} mark={`/gate/states/${place}/mean_ai`} />
                </td>
                <td className="meaning-cell">{STATE_WORDS[state].meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
});
