import { limitsInWords } from "../../../../src/present/figures/gate-modes.js";
import { isOfCohort, leftOutText, liveDay } from "../../../../src/present/words/vocabulary.js";
import type { GateSettings } from "../../../data/gate-settings.ts";
import { usePage } from "../../../data/page-context.ts";
import { CohortName } from "../../../parts/links.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { isActive, STORED, type StoredGate, useStoredGate } from "./use-stored-gate.ts";

/** Which gate is active, and whether this view shows it or a dry run. */
export function InForce({ settings }: { settings: GateSettings }) {
  const gate = useStoredGate();
  const { report } = usePage();
  const ofCohort = isOfCohort(report);
  const fromFile = report.run.run_id === null;
  if (!gate && ofCohort) {
    return <p>{leftOutText("Active gates are")} This view is a dry run over this cohort alone.</p>;
  }
  if (!gate && fromFile) {
    return <p>A file of audits has no active gate. This view is a dry run.</p>;
  }
  const day = liveDay(report.run);
  if (!gate && day) {
    return <p>This view is a dry run over the audits of {day} (UTC). The active gate is under Gate.</p>;
  }
  if (!gate) {
    return (
      <p>
        No gate of this run is active: this view is a dry run. To activate it: <code>defensible gate apply</code>
      </p>
    );
  }
  const { thresholds, mode, variable = "ai" } = gate;
  return (
    <>
      {gate.closed && (
        <p className="alert">
          Every gate is closed since <UserText text={gate.closed.since} max={40} /> (
          <UserText text={gate.closed.reason} />
          ): nothing is automated until <code>defensible gate open</code>.
        </p>
      )}
      <p>
        Active
        {gate.created_at && (
          <>
            {" "}
            since <UserText text={gate.created_at.slice(0, 10)} max={20} />
          </>
        )}
        : {limitsInWords(thresholds, variable)}, at least <Num at={`${STORED}/thresholds/min_decisions`} as="whole" />{" "}
        decisions, mode {mode}; <Num at={`${STORED}/fleet/passing`} as="whole" /> {automated(gate)} by it
        {gate.review_share !== undefined && (
          <>
            , <Num at={`${STORED}/review_share`} as="limit" /> of their decisions reviewed at random, so that the gate
            keeps being measured
          </>
        )}
        . {!isActive(gate, settings) && "This view is a dry run of other settings."}
      </p>
      <Suspended gate={gate} />
    </>
  );
}

function automated({ fleet, closed }: StoredGate): string {
  if (closed) return `${fleet.passing === 1 ? "community" : "communities"} would be automated`;
  return fleet.passing === 1 ? "community is automated" : "communities are automated";
}

/** Communities suspended by an alarm. */
function Suspended({ gate }: { gate: StoredGate }) {
  const suspended = gate.communities.filter((one) => one.suspended);
  if (suspended.length === 0) return null;
  return (
    <>
      <p className="alert">Suspended after an alarm, and not automated whatever the gate says:</p>
      <ul className="remarks" aria-label="Suspended communities">
        {suspended.map(({ community, suspended: why }) => (
          <li key={community}>
            <CohortName name={community} /> since <UserText text={why!.since.slice(0, 10)} max={20} />:{" "}
            <UserText text={why!.reason} max={400} />
          </li>
        ))}
      </ul>
      <p className="muted small">
        A community is automated again when decisions since then certify it (<code>defensible gate watch</code>), or the
        suspension is lifted (<code>defensible gate reinstate</code>).
      </p>
    </>
  );
}
