import { communityInKey } from "../../../../src/measures/gate/route/reasons.js";
import { nameText } from "../../../../src/present/words/word-table.js";
import { printable } from "../../../../src/text/printable.js";
import { usePage } from "../../../data/page-context.ts";

interface WatchedEvent {
  type: string;
  community: string;
  at: string | null;
  text: string;
}

/** What the active gate remembers of a community: that it is suspended, and what its watch saw. Nothing where it remembers nothing. */
export function GateEvents({ community }: { community: string }) {
  const { gate } = usePage().report;
  if (!gate) return null;
  const isOwn = (cohort: string) => communityInKey(gate.by ?? ["community"], cohort) === community;
  const suspended = gate.communities.filter((one) => one.suspended && isOwn(one.community));
  const watch = gate.watch as { events?: WatchedEvent[] } | null | undefined;
  const events = (watch?.events ?? []).filter((event) => isOwn(event.community));
  if (suspended.length === 0 && !gate.closed && events.length === 0) return null;
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
      {events.length > 0 && (
        <ul>
          {events.map((event) => (
            <li key={`${event.type} ${event.at} ${event.text}`}>
              {event.at && `${day(event.at)}: `}
              {ended(event.text)}
            </li>
          ))}
        </ul>
      )}
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
