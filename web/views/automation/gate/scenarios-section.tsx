import { useMemo } from "react";
import type { GateEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import { gateScenariosOf } from "../../../../src/present/figures/gate-modes.js";
import { VARIABLE_WORDS } from "../../../../src/present/words/words.js";
import { Chart } from "../../../parts/chart/chart.tsx";
import { ShownEst } from "../../../parts/numbers/est.tsx";
import { Shown } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Term } from "../../../parts/text/term.tsx";

/** The paper's four settings and one's own, with all three coverages and both reductions next to what chance would give. */
export function ScenariosSection({ evaluation }: { evaluation: GateEvaluation }) {
  const figure = useMemo(() => gateScenariosOf(evaluation), [evaluation]);
  const { scenarios, thresholds, mode, variable, fleet } = evaluation;
  if (fleet.counts.eligible_communities === 0) return null;
  const chosen = (di: number, ai: number) => di === thresholds.di && ai === thresholds.ai;
  const name = (scenario: (typeof scenarios)[number]) => (
    <>
      {scenario.name === "Own" ? "These settings" : scenario.name}
      {chosen(scenario.di, scenario.ai) && scenario.name !== "Own" && <span className="muted"> (in use)</span>}
    </>
  );
  return (
    <section aria-labelledby="scenarios">
      <h2 id="scenarios">
        <Term symbol="Lenient, Moderate, Standard, Strict">Named settings</Term> side by side
      </h2>
      <Chart figure={figure} />
      <PlainTable
        caption={`What each setting automates, in mode ${mode}`}
        heads={[
          { key: "name", name: "Setting" },
          { key: "di", name: "Defensibility ≥", align: "right" },
          { key: "ai", name: `${VARIABLE_WORDS[variable].name} ≤`, align: "right" },
          { key: "passing", name: "Communities", align: "right" },
          { key: "community", name: "Of those judged", align: "right" },
          { key: "eligible", name: "Decisions, of those judged", align: "right" },
          { key: "all", name: "Of all decisions", align: "right" },
        ]}
        rows={scenarios.map((scenario, i) => {
          const at = `/gate/scenarios/${i}`;
          const est = (field: keyof typeof scenario.estimates) => (
            <ShownEst key={field} of={scenario.estimates[field]} mark={`${at}/estimates/${field}`} with="interval" />
          );
          return {
            key: scenario.name,
            chosen: chosen(scenario.di, scenario.ai),
            cells: [
              name(scenario),
              <Shown key="di" value={scenario.di} as="limit" mark={`${at}/di`} />,
              <Shown key="ai" value={scenario.ai} as="limit" mark={`${at}/ai`} />,
              <Shown key="passing" value={scenario.passing} as="whole" mark={`${at}/passing`} />,
              est("community_coverage"),
              est("decision_coverage_eligible"),
              est("decision_coverage_all"),
            ],
          };
        })}
      />
      <PlainTable
        caption="What the automated part is like"
        heads={[
          { key: "name", name: "Setting" },
          { key: "di", name: "Defensibility", align: "right" },
          { key: "ai", name: VARIABLE_WORDS[variable].name, align: "right" },
          { key: "rate", name: "Indefensible", align: "right" },
          { key: "base", name: "Without a gate", align: "right" },
          { key: "kept", name: <Term symbol="RR, exposure reduction">Kept out</Term>, align: "right" },
          { key: "chance", name: "By chance", align: "right" },
          { key: "cut", name: <Term symbol="1 − r_auto / r_base">Rate cut</Term>, align: "right" },
        ]}
        rows={scenarios.map((scenario, i) => {
          const at = `/gate/scenarios/${i}`;
          return {
            key: scenario.name,
            chosen: chosen(scenario.di, scenario.ai),
            cells: [
              name(scenario),
              <Shown key="di" value={scenario.fleet_di} mark={`${at}/fleet_di`} />,
              <Shown key="ai" value={scenario.fleet_ai} mark={`${at}/fleet_ai`} />,
              <ShownEst
                key="rate"
                of={scenario.estimates.automated_indefensible_rate}
                mark={`${at}/estimates/automated_indefensible_rate`}
              />,
              <Shown key="base" value={scenario.base_indefensible_rate} mark={`${at}/base_indefensible_rate`} />,
              <Shown key="kept" value={scenario.exposure_reduction} mark={`${at}/exposure_reduction`} />,
              <Shown key="chance" value={scenario.random_gate_baseline} mark={`${at}/random_gate_baseline`} />,
              <Shown key="cut" value={scenario.conditional_risk_reduction} mark={`${at}/conditional_risk_reduction`} />,
            ],
          };
        })}
      />
      <p className="muted small">
        Kept out: share of the indefensible decisions that is not automated (the paper's risk reduction). By chance:
        what a gate that picks at random would keep out at the same coverage. Rate cut: how much lower the indefensible
        rate is in the automated part than without a gate. Judged: in communities with enough decisions.
      </p>
    </section>
  );
}
