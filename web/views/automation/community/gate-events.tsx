import { communityInKey } from "../../../../src/measures/gate/route/reasons.js";
import { nameText } from "../../../../src/present/words/word-table.js";
import { printable } from "../../../../src/text/printable.js";
import { usePage } from "../../../data/page-context.ts";

/** What the active gate remembers of a community: that it or the whole gate is suspended. Nothing where it remembers nothing. */
export function GateEvents({ community }: { community: string }) {
  const { gate } = usePage().report;
  if (!gate) return null;
  const isOwn = (cohort: string) => communityInKey(gate.by ?? ["community"], cohort) === community;
  const suspended = gate.communities.filter((one) => one.suspended && isOwn(one.community));
  if (suspended.length === 0 && !gate.closed) return null;
  return (
    <div className="gate-events">
      {gate.closed && (
        <p>
          The whole gate is closed since {day(gate.closed.since)}: {ended(gate.closed.reason)}
        </p>
      )}
      {suspended.map((one) => (
        <p key={one.community}>
          <b>
            {one.community !== community && `${nameText(one.community, 80)}: `}
            Suspended
          </b>{" "}
          since {day(one.suspended!.since)}: {ended(one.suspended!.reason)} Until it is reinstated none of its decisions
          is automated, whatever the rates say.
        </p>
      ))}
    </div>
  );
}

function day(time: string): string {
  return printable(time.slice(0, 10));
}

function ended(text: string): string {
  const shown = printable(text, 300);
  return /[.!?…]$/.test(shown) ? shown : `${shown}.`;
}
