import { memo } from "react";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { limitsInWords } from "../../../src/present/figures/page-gate.js";
import { gateName } from "../../../src/present/words/gate-change.js";
import { byCount, plural } from "../../../src/present/words/numbers.js";
import { Shown } from "../../parts/numbers/num.tsx";

/** What the gate does under these settings, in two sentences. */
export const AutomationLead = memo(function AutomationLead({ evaluation }: { evaluation: GateEvaluation }) {
  return (
    <p className="lead" aria-live="polite">
      <Words evaluation={evaluation} />
    </p>
  );
});

function Words({ evaluation: { fleet, thresholds, variable, mode, communities } }: { evaluation: GateEvaluation }) {
  const { counts } = fleet;
  const count = (field: keyof typeof counts) => (
    <Shown value={counts[field]} as="whole" mark={`/gate/fleet/counts/${field}`} />
  );
  if (counts.decisions === 0) return <>None of the {count("unscored")} audits has a verdict, so nothing passes.</>;
  if (counts.eligible_communities === 0) {
    const largest = communities.reduce((most, one) => Math.max(most, one.n), 0);
    return (
      <>
        Nothing yet: the gate needs{" "}
        <Shown value={thresholds.min_decisions} as="whole" mark="/gate/thresholds/min_decisions" /> audited decisions of
        a community, and the largest of {plural(counts.communities, "community", "communities")} has{" "}
        <Shown value={largest} as="whole" />. Audit more decisions.
      </>
    );
  }
  const limits = `${gateName(mode)} (${limitsInWords(thresholds, variable)})`;
  const judged = (
    <>
      {count("eligible_communities")} {byCount(counts.eligible_communities, "community", "communities")} with enough
      decisions
    </>
  );
  const base = <Shown value={fleet.base_indefensible_rate} as="rounded" mark="/gate/fleet/base_indefensible_rate" />;
  if (counts.passing_communities === 0) {
    return (
      <>
        Nothing:{" "}
        {counts.eligible_communities === 1 ? (
          "the only community with enough decisions does not pass"
        ) : (
          <>none of {judged} passes</>
        )}{" "}
        the {limits}. No rule supports {base} of {byCount(counts.eligible_communities, "its", "their")} decisions.
      </>
    );
  }
  return (
    <>
      {count("passing_communities")} of {judged} {byCount(counts.passing_communities, "passes", "pass")} the {limits}:{" "}
      <Shown value={fleet.decision_coverage_all} as="rounded" mark="/gate/fleet/decision_coverage_all" /> of all
      decisions. No rule supports {count("automated_indefensible")} of these {count("automated_decisions")} (
      <Shown value={fleet.automated_indefensible_rate} as="rounded" mark="/gate/fleet/automated_indefensible_rate" />
      ), against {base} without a gate.
    </>
  );
}
