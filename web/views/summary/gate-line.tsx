import { isOfCohort } from "../../../src/figures/left-out.js";
import { usePage } from "../../data/page-context.ts";
import { Num } from "../../parts/num.tsx";
import { routeHash } from "../../route/route.ts";
import { STORED, useStoredGate } from "../gate/use-stored-gate.ts";

/** Whether anything may run on its own: what a reader wants to know next. */
export function GateLine() {
  const { report } = usePage();
  // A file of audits has no workspace in which a gate could be in force, and one over a whole run says nothing of a cohort.
  if (report.run.run_id === null || isOfCohort(report)) return null;
  return (
    <p>
      <Answer />{" "}
      <a className="unbroken" href={routeHash("gate", [])}>
        See the gate
      </a>
    </p>
  );
}

function Answer() {
  const gate = useStoredGate();
  if (!gate) return <>No gate computed from these verdicts is in force, so by them nothing may run on its own.</>;
  if (gate.closed) return <>Every gate is closed: nothing may run on its own.</>;
  if (gate.fleet.passing === 0) return <>Nothing may run on its own: no community passes the gate in force.</>;
  const suspended = gate.communities.filter((one) => one.suspended && one.passes[gate.mode]).length;
  return (
    <>
      <Num at={`${STORED}/fleet/passing`} as="whole" /> of {gate.communities.length} communities{" "}
      {gate.fleet.passing === 1 ? "passes" : "pass"} the gate in force and may run on{" "}
      {gate.fleet.passing === 1 ? "its" : "their"} own
      {suspended > 0 && <>, but for {suspended} suspended after an alarm</>}.
    </>
  );
}
