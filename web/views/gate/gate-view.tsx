import { useMemo } from "react";
import { coverageRiskOf } from "../../../src/present/figures/coverage-risk.js";
import { useGateEvaluation, useGateFrontier } from "../../data/use-gate.ts";
import { Chart } from "../../parts/chart.tsx";
import { FlipWarnings } from "../../parts/flip-section.tsx";
import { GateControls } from "../../parts/gate-controls.tsx";
import { Term } from "../../parts/term.tsx";
import { BindingSection } from "./binding-section.tsx";
import { EvidenceSection } from "./evidence-section.tsx";
import { FindingSections } from "./finding-sections.tsx";
import { GateLead } from "./gate-lead.tsx";
import { InForce } from "./in-force.tsx";
import { ModesSection } from "./modes-section.tsx";
import { MoreSection } from "./more-section.tsx";
import { RealisedSection } from "./realised-section.tsx";
import { ScenariosSection } from "./scenarios-section.tsx";
import { ScoreSection } from "./score-section.tsx";
import { StatesSection } from "./states-section.tsx";

/** Who may be automated under the settings in the address, at what risk, and how sure that is. */
export function GateView() {
  const { evaluation, settings, stale } = useGateEvaluation();
  const frontier = useGateFrontier(settings);
  const trade = useMemo(() => coverageRiskOf(evaluation, frontier), [evaluation, frontier]);
  return (
    <div className="view gate-view" aria-busy={stale}>
      <h1>Gate</h1>
      <GateLead evaluation={evaluation} />
      <FlipWarnings />
      <InForce settings={settings} />
      <RealisedSection />
      <GateControls />
      <section aria-labelledby="coverage-risk">
        <h2 id="coverage-risk">Coverage and risk</h2>
        <p>
          Stricter limits automate less and let fewer indefensible decisions through. The line joins the best
          trade-offs; its <Term symbol="knee">knee</Term> is where covering more begins to cost more risk than it did.
        </p>
        <Chart figure={trade} />
      </section>
      <ScenariosSection evaluation={evaluation} />
      <ModesSection evaluation={evaluation} />
      <MoreSection evaluation={evaluation} />
      <BindingSection evaluation={evaluation} />
      <StatesSection evaluation={evaluation} />
      <EvidenceSection evaluation={evaluation} />
      <ScoreSection />
      <FindingSections />
    </div>
  );
}
