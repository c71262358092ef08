import type { GateState } from "../domain/gate.js";
import { type Block, type Document, table } from "../reports/document.js";
import { plural } from "../reports/numbers.js";
import { printable } from "../reports/printable.js";
import type { RecordedLook } from "../workspace/gate-looks.js";
import type { Closure, GateEvent } from "../workspace/gate-store.js";

/** Looks side by side; more would not fit a terminal. */
const COLUMNS = 6;

const SHORT: Record<GateState, string> = {
  earned_autonomy: "autonomy",
  policy_gaps: "gaps",
  normative_complexity: "complex",
  insufficient: "few",
};

/** What happened to the gate: states of every community over the last gates in force, and the other events. */
export function historyDocument(events: readonly GateEvent[], closed: Closure | null, rows: number): Document {
  const looks = events.filter((event): event is RecordedLook => event.type === "gate");
  const inForce = looks.filter((look) => look.in_force);
  const shown = (inForce.length > 0 ? inForce : looks).slice(-COLUMNS);
  const other = events.filter((event) => event.type !== "gate");
  const blocks: Block[] = [];
  if (closed) {
    blocks.push({
      kind: "text",
      text: `Every gate is closed since ${printable(closed.since, 40)}: ${printable(closed.reason)}. \`defensible gate --open\` opens them again.`,
    });
  }
  if (shown.length > 0) blocks.push(...stateBlocks(shown, events, rows));
  else blocks.push({ kind: "text", text: "No gate has been looked at yet: `defensible gate` does." });
  if (other.length > 0) blocks.push(...eventBlocks(other, rows));
  return {
    title: "History of the gate",
    subtitle: `${plural(looks.length, "look")}, ${inForce.length} in force · ${plural(other.length, "other event")}`,
    blocks,
  };
}

function stateBlocks(looks: readonly RecordedLook[], events: readonly GateEvent[], rows: number): Block[] {
  const names = [...new Set(looks.flatMap((look) => Object.keys(look.states)))].sort();
  const changed = (name: string) => new Set(looks.map((look) => cell(look, name))).size > 1;
  const sorted = [...names.filter(changed), ...names.filter((name) => !changed(name))];
  const suspended = suspendedNow(events);
  const head = looks.map((look) => `${look.at.slice(0, 16).replace("T", " ")}`);
  const lines = sorted
    .slice(0, rows)
    .map((name) => [
      printable(name, 40),
      ...looks.map((look) => cell(look, name)),
      suspended.has(name) ? "suspended" : "",
    ]);
  const totals = [
    "passing",
    ...looks.map((look) => `${look.passing.length} of ${Object.keys(look.states).length}`),
    "",
  ];
  const modes = ["mode", ...looks.map((look) => look.mode), ""];
  return [
    { kind: "heading", text: "States over time" },
    table(["community", ...head, "now"], [...lines, totals, modes]),
    {
      kind: "text",
      text: `+ passes the gate of that time; autonomy, gaps, complex and few are the states (earned autonomy, policy gaps, normative complexity, too few decisions). Communities that changed come first.${sorted.length > rows ? ` ${plural(sorted.length - rows, "community", "communities")} more with --rows or --json.` : ""}`,
    },
  ];
}

function cell(look: RecordedLook, name: string): string {
  const state = Object.hasOwn(look.states, name) ? look.states[name] : undefined;
  return state === undefined
    ? ""
    : `${look.passing.includes(name) ? "+ " : ""}${SHORT[state] ?? printable(String(state), 12)}`;
}

function suspendedNow(events: readonly GateEvent[]): Set<string> {
  const suspended = new Set<string>();
  for (const event of events) {
    if (event.type === "suspended") suspended.add(String(event.community));
    if (event.type === "reinstated") suspended.delete(String(event.community));
  }
  return suspended;
}

function eventBlocks(events: readonly GateEvent[], rows: number): Block[] {
  return [
    { kind: "heading", text: "Other events" },
    table(
      ["time", "event", "community", "~what"],
      events
        .slice(-rows)
        .reverse()
        .map((event) => [
          printable(event.at, 24),
          printable(event.type, 20),
          printable(String(event.community ?? ""), 40),
          printable(String(event.reason ?? ""), 300),
        ]),
    ),
  ];
}
