import { whole } from "../../../src/present/words/numbers.js";
import { isOfCohort } from "../../../src/present/words/word-table.js";
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
  // A gate may divide decisions otherwise, by language for example.
  const [one, many] =
    usePage().gate_input.by.join() === "community" ? ["community", "communities"] : ["cohort", "cohorts"];
  if (!gate) return <>No gate computed from these verdicts is in force, so by them nothing may run on its own.</>;
  if (gate.closed) return <>Every gate is closed: nothing may run on its own.</>;
  if (gate.fleet.passing === 0) return <>Nothing may run on its own: no {one} passes the gate in force.</>;
  const suspended = gate.communities.filter(({ suspended: alarm, passes }) => alarm && passes[gate.mode]).length;
  return (
    <>
      <Num at={`${STORED}/fleet/passing`} as="whole" /> of {whole(gate.communities.length)} {many}{" "}
      {gate.fleet.passing === 1 ? "passes" : "pass"} the gate in force and may run on{" "}
      {gate.fleet.passing === 1 ? "its" : "their"} own
      {suspended > 0 && <>, but for {suspended} suspended after an alarm</>}.
    </>
  );
}
