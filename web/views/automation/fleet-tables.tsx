import { memo } from "react";
import { GATE_MODES } from "../../../src/core/names.js";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { MODE_WORDS, STATE_WORDS } from "../../../src/present/words/words.js";
import { StateBadge } from "../../parts/gate-parts.tsx";
import { Shown } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Term } from "../../parts/text/term.tsx";

/** The fleet by state: how many, how large, how good. */
export const StatesTable = memo(function StatesTable({ gate }: { gate: GateEvaluation }) {
  const [symbol, ambiguity] = gate.variable === "ai" ? ["AI", "ambiguity"] : ["AI_pure", "pure ambiguity"];
  return (
    <PlainTable
      caption="States follow the observed rates in every mode. Means count each community once."
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

const MODE_HEADS = [
  { key: "mode", name: "Mode" },
  { key: "passing", name: "Communities that pass", align: "right" },
  { key: "coverage", name: "Of all decisions", align: "right" },
  { key: "rate", name: "Without rule support", align: "right" },
  { key: "promise", name: "Promise" },
] as const;

/** The same limits in the three modes: which communities pass, how much is automated, and what is promised. */
export const ModesTable = memo(function ModesTable({ gate }: { gate: GateEvaluation }) {
  return (
    <PlainTable
      caption="The same limits in the three modes; the one in use is bold"
      heads={MODE_HEADS}
      rows={GATE_MODES.map((mode) => {
        const { passing, decision_coverage_all, automated_indefensible_rate } = gate.by_mode[mode];
        const at = `/gate/by_mode/${mode}`;
        return {
          key: mode,
          chosen: mode === gate.mode,
          cells: [
            MODE_WORDS[mode].name,
            <Shown key="passing" value={passing} as="whole" mark={`${at}/passing`} />,
            <Shown key="coverage" value={decision_coverage_all} mark={`${at}/decision_coverage_all`} />,
            <Shown key="rate" value={automated_indefensible_rate} mark={`${at}/automated_indefensible_rate`} />,
            <span key="promise" className="meaning-cell">
              {gate.methods[mode]}
            </span>,
          ],
        };
      })}
    />
  );
});
