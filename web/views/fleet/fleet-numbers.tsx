import { memo, type ReactNode } from "react";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { ShownEst } from "../../parts/est.tsx";
import { Shown } from "../../parts/num.tsx";
import { Term } from "../../parts/term.tsx";

/** Coverage and risk of the gate under these settings. */
export const FleetNumbers = memo(function FleetNumbers({ gate }: { gate: GateEvaluation }) {
  const { fleet } = gate;
  const { estimates, counts } = fleet;
  return (
    <dl className="key-figures">
      <Figure name="Communities that pass">
        <ShownEst of={estimates.community_coverage} mark="/gate/fleet/estimates/community_coverage" />
      </Figure>
      <Figure name="Decisions automated, of those in communities large enough">
        <ShownEst of={estimates.decision_coverage_eligible} mark="/gate/fleet/estimates/decision_coverage_eligible" />
      </Figure>
      <Figure name="Decisions automated, of all">
        <ShownEst of={estimates.decision_coverage_all} mark="/gate/fleet/estimates/decision_coverage_all" />
      </Figure>
      <Figure name="Indefensible among the automated">
        <ShownEst of={estimates.automated_indefensible_rate} mark="/gate/fleet/estimates/automated_indefensible_rate" />
        <span className="note">
          without a gate, in communities large enough,{" "}
          <Shown value={fleet.base_indefensible_rate} mark="/gate/fleet/base_indefensible_rate" />
        </span>
      </Figure>
      <Figure name={<Term symbol="RR, exposure reduction">Indefensible decisions kept from automation</Term>}>
        <Reduction
          value={fleet.exposure_reduction}
          mark="/gate/fleet/exposure_reduction"
          why={fleet.reasons.exposure_reduction}
        />
        <span className="note">
          a gate that picks at random keeps{" "}
          <Shown value={fleet.random_gate_baseline} mark="/gate/fleet/random_gate_baseline" />
        </span>
      </Figure>
      <Figure name={<Term symbol="1 − r_auto / r_base">How much rarer they are among the automated</Term>}>
        <Reduction
          value={fleet.conditional_risk_reduction}
          mark="/gate/fleet/conditional_risk_reduction"
          why={fleet.reasons.conditional_risk_reduction}
        />
        <span className="note">
          <Shown value={counts.automated_indefensible} as="whole" mark="/gate/fleet/counts/automated_indefensible" /> of{" "}
          <Shown value={counts.eligible_indefensible} as="whole" mark="/gate/fleet/counts/eligible_indefensible" />{" "}
          indefensible decisions in communities large enough are automated
        </span>
      </Figure>
    </dl>
  );
});

function Figure({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Reduction({ value, mark, why }: { value: number | null; mark: string; why: string | undefined }) {
  if (value === null) return <span className="undefined">undefined: {why ?? "the gate does not say why"}</span>;
  return (
    <span className="est">
      <Shown value={value} mark={mark} />
    </span>
  );
}
