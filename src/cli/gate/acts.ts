import { closeEveryGate, gateHistory, openEveryGate, reinstateCommunity } from "../../app/gate/active-gate.js";
import { InputError } from "../../core/errors.js";
import { historyDocument } from "../../present/gate/history.js";
import type { GateStore } from "../../store/ports.js";
import { printable } from "../../text/printable.js";
import type { GateFlags } from "../commands/gate.js";
import { outputWidth, print, printJson, say } from "../output.js";
import { printPage } from "../page.js";

export async function close(gate: GateStore, reason: string, flags: GateFlags): Promise<void> {
  const now = { since: new Date().toISOString(), reason: reason.trim() };
  const { closed, before, problem } = await closeEveryGate(gate, now);
  if (problem !== null) say(`The history does not have it: ${printable(problem, 300)}.`);
  if (printJson({ closed, before }, flags)) return;
  print(
    `Every gate is closed: \`defensible route\` automates nothing until \`defensible gate --open\`.${before ? ` (They were closed already, since ${printable(before.since, 40)}: ${printable(before.reason)}.)` : ""}`,
  );
}

export async function open(gate: GateStore, flags: GateFlags): Promise<void> {
  const { closed, before } = await openEveryGate(gate, new Date().toISOString());
  if (printJson({ closed, before }, flags)) return;
  print(
    before
      ? `The gates may open again: \`defensible route\` follows the gate in force. They were closed since ${printable(before.since, 40)}: ${printable(before.reason)}.`
      : "The gates were not closed; nothing was changed.",
  );
}

export async function reinstate(gate: GateStore, community: string, flags: GateFlags): Promise<void> {
  const at = new Date().toISOString();
  const reason = flags.reason!.trim();
  const before = await reinstateCommunity(gate, { community, at, reason }, notSuspended);
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

export async function history(store: GateStore, flags: GateFlags): Promise<void> {
  const { closed, events, gate } = await gateHistory(store);
  const taken = printJson({ format: 1, closed, events }, flags);
  printPage(() => historyDocument(events, { closed, gate }, { rows: flags.rows, width: outputWidth() }), flags, taken);
}
