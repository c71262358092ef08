import type { Gate, GateState } from "../../core/gate.js";
import type { GateEvent, RecordedLook } from "../../store/records/gate-event.js";
import type { Closure } from "../../store/records/suspensions.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, table } from "../document/document.js";
import { plural } from "../words/numbers.js";

/** Widths for the name of a community and for one gate. */
const NAME_WIDTH = 22;
const GATE_WIDTH = 13;
const NOW_WIDTH = 11;

const SHORT: Record<GateState, string> = {
  earned_autonomy: "autonomy",
  policy_gaps: "gaps",
  normative_complexity: "complex",
  insufficient: "few",
};

export interface GateNow {
  closed: Closure | null;
  gate: Gate | null;
}

/** The gate's history: the gates that were active, the states of every community under them, and the other events. */
export function historyDocument(
  events: readonly GateEvent[],
  now: GateNow,
  { rows, width = 100 }: { rows: number; width?: number },
): Document {
  const looks = events.filter((event): event is RecordedLook => event.type === "gate");
  const gates = gatesInForce(looks);
  const other = events.filter((event) => event.type !== "gate");
  const blocks: Block[] = [];
  if (now.closed) {
    blocks.push({
      kind: "text",
      text: `Every gate is closed since ${printable(now.closed.since, 40)}: ${printable(now.closed.reason)}. \`defensible gate open\` opens them again.`,
    });
  }
  if (gates.length > 0) blocks.push(...gateBlocks(gates, now, rows));
  else if (looks.length > 0) {
    blocks.push({ kind: "text", text: "No gate has been active: nothing was applied." });
  } else blocks.push({ kind: "text", text: "No gate has been computed yet: run `defensible gate`." });
  const shown = gates.length > 0 ? gates : looks;
  if (shown.length > 0) blocks.push(...stateBlocks(shown, now, rows, width));
  if (other.length > 0) blocks.push(...eventBlocks(other, rows));
  return {
    title: "History of the gate",
    subtitle: `${plural(looks.length, "look")}, ${plural(gates.length, "gate")} activated · ${plural(other.length, "other event")}`,
    blocks,
  };
}

/** Each gate once, when it was activated: a later check that left it unchanged is not listed. */
function gatesInForce(looks: readonly RecordedLook[]): RecordedLook[] {
  const gates = new Map<string, RecordedLook>();
  for (const look of looks) {
    if (!look.in_force) continue;
    const known = gates.get(look.gate_id);
    if (!known) gates.set(look.gate_id, look);
    else if (look.applied) gates.set(look.gate_id, { ...known, applied: true });
  }
  return [...gates.values()];
}

function gateBlocks(gates: readonly RecordedLook[], { gate }: GateNow, rows: number): Block[] {
  const shown = gates.slice(-rows).reverse();
  const who = shown.some((look) => look.actor);
  const why = shown.some((look) => look.reason);
  return [
    { kind: "heading", text: "Activated gates" },
    table(
      ["since", "run", "mode", "limits", "settings", ...(who ? ["who"] : []), ...(why ? ["~why"] : [])],
      shown.map((look) => [
        `${timeOf(look.at)}${look.gate_id === gate?.gate_id ? " *" : ""}`,
        printable(look.evidence.run_id ?? "", 40),
        look.mode,
        limitsOf(look.settings),
        `${look.applied ? "other" : "workspace's"}${look.replaced_damaged ? "; replaced a damaged gate" : ""}`,
        ...(who ? [printable(look.actor ?? "", 24)] : []),
        ...(why ? [printable(look.reason ?? "", 300)] : []),
      ]),
    ),
    {
      kind: "text",
      text: `The newest first; * is followed now. Limits: DI at least / ambiguity at most.${gates.length > shown.length ? ` ${plural(gates.length - shown.length, "earlier gate")} with --rows or --json.` : ""}`,
    },
  ];
}

function stateBlocks(looks: readonly RecordedLook[], now: GateNow, rows: number, width: number): Block[] {
  const newest = (room: number) =>
    looks.slice(-Math.max(1, Math.min(8, Math.floor((width - 2 - NAME_WIDTH - NOW_WIDTH) / room))));
  const distinct = (some: readonly RecordedLook[]) => new Set(some.map(({ at }) => timeOf(at))).size === some.length;
  const seconds = distinct(newest(GATE_WIDTH)) ? 0 : ":00".length;
  const shown = newest(GATE_WIDTH + seconds);
  const names = [...new Set(shown.flatMap((look) => Object.keys(look.states)))].sort();
  const changed = (name: string) => new Set(shown.map((look) => cell(look, name))).size > 1;
  const sorted = [...names.filter(changed), ...names.filter((name) => !changed(name))];
  const lines = sorted
    .slice(0, rows)
    .map((name) => [printable(name, 40), ...shown.map((look) => cell(look, name)), stateNow(name, now)]);
  const totals = [
    "passing",
    ...shown.map((look) => `${look.passing.length} of ${Object.keys(look.states).length}`),
    now.closed ? "closed" : "",
  ];
  const earlier = looks.length - shown.length;
  return [
    { kind: "heading", text: "States over time" },
    table(["community", ...shown.map(({ at }) => timeOf(at, seconds).slice(5)), "now"], [...lines, totals]),
    {
      kind: "text",
      text: `+ passes the gate of that time; autonomy, gaps, complex and few are the states (earned autonomy, policy gaps, normative complexity, too few decisions). now: under the active gate.${earlier > 0 ? ` ${plural(earlier, "earlier gate")} in the JSON.` : ""} Communities that changed come first.${sorted.length > rows ? ` ${plural(sorted.length - rows, "community", "communities")} more with --rows or --json.` : ""}`,
    },
  ];
}

function cell(look: RecordedLook, name: string): string {
  const state = Object.hasOwn(look.states, name) ? look.states[name] : undefined;
  return state === undefined
    ? ""
    : `${look.passing.includes(name) ? "+ " : ""}${SHORT[state] ?? printable(String(state), 9)}`;
}

/** What currently happens to a community's decisions. */
function stateNow(name: string, { closed, gate }: GateNow): string {
  if (closed) return "closed";
  const found = gate?.communities.find((one) => one.community === name);
  if (!gate || !found) return "no gate";
  if (found.suspended) return "suspended";
  return found.passes[gate.mode] ? "automated" : "to people";
}

function eventBlocks(events: readonly GateEvent[], rows: number): Block[] {
  const shown = events.slice(-rows).reverse();
  const who = shown.some(({ actor }) => actor);
  return [
    { kind: "heading", text: "Other events" },
    table(
      ["time", "event", "community", ...(who ? ["who"] : []), "~what"],
      shown.map((event) => [
        timeOf(event.at),
        printable(event.type, 20),
        printable(String(event.community ?? ""), 40),
        ...(who ? [printable(String(event.actor ?? ""), 24)] : []),
        `${event.by_hand ? "By hand: " : ""}${printable(String(event.reason ?? ""), 300)}`,
      ]),
    ),
  ];
}

/** "2026-11-15 05:10", UTC; `seconds`: characters to add for seconds. */
function timeOf(at: string, seconds = 0): string {
  return printable(at.slice(0, 16 + seconds).replace("T", " "), 19);
}

function limitsOf({ di, ai, variable }: Record<string, unknown>): string {
  const short = (value: unknown) => (typeof value === "number" ? `${+(100 * value).toPrecision(4)}` : "–");
  return `${short(di)}/${short(ai)}%${variable === "ai_pure" ? " pure" : ""}`;
}
