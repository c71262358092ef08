import { InputError } from "../../core/errors.js";
import { readGateHistory, recordGateEvents } from "../../store/files/gate-history.js";
import {
  putInForce,
  readGateInForce,
  readStanding,
  readWatch,
  withGateLock,
  writeStanding,
  writeWatch,
} from "../../store/files/gate-store.js";
import { closeGates, openGates, readClosure } from "../../store/files/gate-switch.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { GateEvent } from "../../store/records/gate-event.js";
import { suspendedIn, withSuspensions } from "../../store/records/suspensions.js";
import { printable } from "../../text/printable.js";
import type { GateFlags } from "../commands/gate.js";
import { outputWidth, print, printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { historyDocument } from "./history.js";

export async function close(workspace: Pick<Workspace, "paths">, reason: string, flags: GateFlags): Promise<void> {
  const before = readClosure(workspace);
  const closure = { since: new Date().toISOString(), reason: reason.trim() };
  const problem = await closeGates(workspace, closure);
  if (problem !== null) say(`The history does not have it: ${printable(problem, 300)}.`);
  if (printJson({ closed: closure, before }, flags)) return;
  print(
    `Every gate is closed: \`defensible route\` automates nothing until \`defensible gate --open\`.${before ? ` (They were closed already, since ${printable(before.since, 40)}: ${printable(before.reason)}.)` : ""}`,
  );
}

export async function open(workspace: Workspace, flags: GateFlags): Promise<void> {
  const before = readClosure(workspace);
  if (before) await openGates(workspace, new Date().toISOString());
  if (printJson({ closed: null, before }, flags)) return;
  print(
    before
      ? `The gates may open again: \`defensible route\` follows the gate in force. They were closed since ${printable(before.since, 40)}: ${printable(before.reason)}.`
      : "The gates were not closed; nothing was changed.",
  );
}

/** Lifts a suspension by hand, for an alarm that was a mistake: the detectors of the community begin anew. */
export async function reinstate(workspace: Workspace, community: string, flags: GateFlags): Promise<void> {
  const at = new Date().toISOString();
  const reason = flags.reason!.trim();
  const before = await withGateLock(workspace, async () => {
    const current = readGateInForce(workspace);
    // Before anything is written: a damaged file must not leave half of it done.
    const stored = readWatch(workspace);
    const standing = readStanding(workspace);
    const suspended = current ? suspendedIn(current.gate).suspended : new Map(standing?.suspended);
    const suspension = suspended.get(community);
    if (!suspension) throw notSuspended(community, [...suspended.keys()]);
    suspended.delete(community);
    if (current) putInForce(workspace, { ...current, gate: withSuspensions(current.gate, suspended) });
    else writeStanding(workspace, { ...standing!, suspended });
    await recordGateEvents(workspace, [{ type: "reinstated", at, community, reason, by_hand: true }]);
    if (stored) {
      const keys = stored.watch.keys.filter((one) => one.key !== community);
      writeWatch(workspace, { ...stored, watch: { ...stored.watch, keys } });
    }
    return suspension;
  });
  if (printJson({ reinstated: community, at, reason, before }, flags)) return;
  print(
    `${printable(community, 60)} is no longer suspended (it was since ${printable(before.since, 40)}: ${printable(before.reason, 300)}). The gate in force decides again whether it is automated, and the watch begins anew there.`,
  );
}

function notSuspended(community: string, suspended: readonly string[]): InputError {
  return new InputError(
    "not_suspended",
    `--reinstate: "${community}" is not suspended`,
    suspended.length === 0
      ? "No community is; `defensible gate --history` shows what happened."
      : `Suspended are: ${suspended.slice(0, 20).join(", ")}.`,
  );
}

export async function history(workspace: Workspace, flags: GateFlags): Promise<void> {
  const events: GateEvent[] = [];
  for await (const event of readGateHistory(workspace)) events.push(event);
  const closed = readClosure(workspace);
  const taken = printJson({ format: 1, closed, events }, flags);
  const { gate = null } = readGateInForce(workspace) ?? {};
  printPage(() => historyDocument(events, { closed, gate }, { rows: flags.rows, width: outputWidth() }), flags, taken);
}
