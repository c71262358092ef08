import type { Gate } from "../../core/gate.js";
import { planWatch } from "../../measures/gate/drift/watch-plan.js";
import type { StandingEvent, StandingWatch } from "../../measures/gate/gate-findings.js";
import { readGateHistory } from "../../store/files/gate-history.js";
import { readWatch } from "../../store/files/gate-store.js";
import type { Workspace } from "../../store/files/workspace.js";
import { namedCommunities } from "./watch-events.js";
import { watchNotes } from "./watch-notes.js";

/** The history of a workspace grows for years; a report tells the last of it. */
const MOST_EVENTS = 50;

/** What the watch of a workspace has seen so far, by what it remembers; null where there was none. */
export async function standingWatch(workspace: Workspace, inForce: Gate | null): Promise<StandingWatch | null> {
  const stored = readWatch(workspace);
  if (!stored) return null;
  const { by, runs, watch } = stored;
  const suspended = new Set(inForce?.communities.filter((one) => one.suspended).map((one) => one.community));
  const events = await eventsOf(workspace);
  return {
    rows: watch.rows,
    by,
    runs,
    promise: planWatch(watch.settings).promise,
    events: events.slice(-MOST_EVENTS).reverse(),
    events_in_all: events.length,
    above: watch.keys.filter(({ key, suspended: alarm }) => alarm && !suspended.has(key)).map(({ key }) => key),
    named: namedCommunities(watch),
    notes: watchNotes(watch, suspended),
  };
}

async function eventsOf(workspace: Workspace): Promise<StandingEvent[]> {
  const events: StandingEvent[] = [];
  for await (const { type, at, community, decision_time, reason, by_hand } of readGateHistory(workspace)) {
    if (type !== "suspended" && type !== "reinstated") continue;
    events.push({
      type,
      community: String(community),
      at,
      decision_time: typeof decision_time === "string" ? decision_time : null,
      text: typeof reason === "string" ? reason : "",
      by_hand: by_hand === true,
    });
  }
  return events;
}
