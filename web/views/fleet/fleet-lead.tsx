import { memo } from "react";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { byCount } from "../../../src/present/words/numbers.js";
import { Share, Shown } from "../../parts/num.tsx";

/** What the gate would do, in words. */
export const FleetLead = memo(function FleetLead({ gate }: { gate: GateEvaluation }) {
  const { fleet, thresholds, mode } = gate;
  const { counts } = fleet;
  const eligible = (
    <Shown value={counts.eligible_communities} as="whole" mark="/gate/fleet/counts/eligible_communities" />
  );
  const fewest = <Shown value={thresholds.min_decisions} as="whole" mark="/gate/thresholds/min_decisions" />;
  if (counts.eligible_communities === 0) {
    return (
      <p className="lead" aria-live="polite">
        None can be judged: no community has {fewest} decisions or more.
      </p>
    );
  }
  if (counts.passing_communities === 0) {
    return (
      <p className="lead" aria-live="polite">
        {counts.eligible_communities === 1 ? (
          <>
            None: the one community with {fewest} decisions or more does not pass the gate in mode {mode}.
          </>
        ) : (
          <>
            None: of {eligible} communities with {fewest} decisions or more, none passes the gate in mode {mode}.
          </>
        )}
      </p>
    );
  }
  return (
    <p className="lead" aria-live="polite">
      <Shown value={counts.passing_communities} as="whole" mark="/gate/fleet/counts/passing_communities" /> of{" "}
      {eligible} {byCount(counts.eligible_communities, "community", "communities")} with {fewest} decisions or more{" "}
      {byCount(counts.passing_communities, "passes", "pass")} the gate in mode {mode}.{" "}
      {byCount(counts.passing_communities, "It makes", "They make")}{" "}
      <Shown value={fleet.decision_coverage_all} mark="/gate/fleet/decision_coverage_all" /> of all decisions.{" "}
      <Share value={fleet.automated_indefensible_rate} mark="/gate/fleet/automated_indefensible_rate" /> of{" "}
      {byCount(counts.passing_communities, "its decisions", "theirs")} are indefensible
      {counts.eligible_communities > counts.passing_communities && (
        <>
          , against <Share value={fleet.base_indefensible_rate} mark="/gate/fleet/base_indefensible_rate" /> in all
          communities of that size
        </>
      )}
      .
    </p>
  );
});
