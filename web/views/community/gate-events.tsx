import { printable } from "../../../src/figures/printable.js";
import { usePage } from "../../data/page-context.ts";

interface WatchedEvent {
  type: string;
  community: string;
  at: string | null;
  text: string;
}

/** What the gate in force remembers of a community: that it is suspended, and what its watch saw. Nothing where it remembers nothing. */
export function GateEvents({ community }: { community: string }) {
  const { gate } = usePage().report;
  if (!gate) return null;
  const suspended = gate.communities.find((one) => one.community === community)?.suspended;
  const watch = gate.watch as { events?: WatchedEvent[] } | null | undefined;
  const events = (watch?.events ?? []).filter((event) => event.community === community);
  if (!suspended && !gate.closed && events.length === 0) return null;
  return (
    <div className="gate-events">
      {gate.closed && (
        <p>
          The whole gate is closed since {day(gate.closed.since)}: {ended(gate.closed.reason)}
        </p>
      )}
      {suspended && (
        <p>
          <b>Suspended</b> since {day(suspended.since)}: {ended(suspended.reason)} Until it is reinstated none of its
          decisions is automated, whatever the rates say.
        </p>
      )}
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
