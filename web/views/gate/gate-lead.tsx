import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { limitsInWords } from "../../../src/present/figures/page-gate.js";
import { byCount, plural, whole } from "../../../src/present/words/numbers.js";
import { Share, Shown } from "../../parts/num.tsx";

/** What the gate says, in two sentences. */
export function GateLead({ evaluation }: { evaluation: GateEvaluation }) {
  const { fleet, thresholds, variable, mode, communities } = evaluation;
  const { counts } = fleet;
  const count = (value: number, field: string) => (
    <Shown value={value} as="whole" mark={`/gate/fleet/counts/${field}`} />
  );
  if (counts.communities === 0)
    return <p className="lead">There is no audit to judge by, so nothing passes the gate.</p>;
  if (counts.decisions === 0) {
    return (
      <p className="lead">
        None of the {count(counts.unscored, "unscored")} audits has a verdict, so nothing passes the gate. A second look
        at the auditor comes first.
      </p>
    );
  }
  if (counts.eligible_communities === 0) {
    const largest = communities.reduce((most, one) => Math.max(most, one.n), 0);
    return (
      <p className="lead">
        {counts.communities === 1 ? "The only community has" : `Of ${counts.communities} communities the largest has`}{" "}
        {plural(largest, "audited decision")} of the{" "}
        <Shown value={thresholds.min_decisions} as="whole" mark="/gate/thresholds/min_decisions" /> that the gate asks
        for, so nothing may be automated yet. Audit more decisions.
      </p>
    );
  }
  const base = (
    <>
      {count(counts.eligible_indefensible, "eligible_indefensible")} of{" "}
      {count(counts.eligible_decisions, "eligible_decisions")} decisions (
      <Share value={fleet.base_indefensible_rate} mark="/gate/fleet/base_indefensible_rate" />)
    </>
  );
  return (
    <p className="lead">
      {count(counts.passing_communities, "passing_communities")} of{" "}
      {count(counts.eligible_communities, "eligible_communities")}{" "}
      {byCount(counts.eligible_communities, "community", "communities")} with enough decisions{" "}
      {byCount(counts.passing_communities, "passes", "pass")} the gate ({limitsInWords(thresholds, variable)}, mode{" "}
      {mode})
      {counts.passing_communities === 0 ? (
        <>
          . Nothing would be automated; without a gate {base} {byCount(counts.eligible_indefensible, "is", "are")}{" "}
          indefensible.
        </>
      ) : (
        <>
          . {byCount(counts.passing_communities, "It makes", "They make")}{" "}
          <Shown value={fleet.decision_coverage_eligible} mark="/gate/fleet/decision_coverage_eligible" /> of{" "}
          {counts.eligible_communities === 1
            ? "its decisions"
            : `the decisions of these ${whole(counts.eligible_communities)}`}
          . Automating {byCount(counts.passing_communities, "it", "them")} would have let through{" "}
          {count(counts.automated_indefensible, "automated_indefensible")} of{" "}
          {count(counts.automated_decisions, "automated_decisions")} (
          <Share value={fleet.automated_indefensible_rate} mark="/gate/fleet/automated_indefensible_rate" />) that no
          rule supports, against {base} without a gate.
        </>
      )}
    </p>
  );
}
