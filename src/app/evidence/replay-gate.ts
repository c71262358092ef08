import { InputError } from "../../core/errors.js";
import type { GatePart } from "../../evidence/verify-chain.js";
import type { GateStore } from "../../store/ports.js";
import type { GateEvent } from "../../store/records/gate-event.js";
import { suspendedInHistory } from "../../store/records/suspensions.js";

/** The gate's state compared with its history. */
export interface GateReplay {
  /** Parts that contradict the history. */
  other: GatePart[];
  /** false: the history is from an earlier version and has no hash of the active gate. */
  compared: boolean;
}

/** Replays the history, and compares it with the active gate, the kill switch and the suspensions. */
export async function replayGate(store: GateStore): Promise<GateReplay> {
  const events: GateEvent[] = [];
  try {
    for await (const event of store.history()) events.push(event);
  } catch (cause) {
    if (cause instanceof InputError) return { other: ["history"], compared: false };
    throw cause;
  }
  const activated = events.findLast(changesGate);
  const active = await readOr(() => store.active());
  const compared = activated === undefined || activated.content_hash !== undefined;
  const other: GatePart[] = [];
  if (active === DAMAGED || (compared && active?.content_hash !== activated?.content_hash)) other.push("gate");
  const switched = events.findLast(({ type }) => type === "closed" || type === "opened");
  if (((await store.closure()) !== null) !== (switched?.type === "closed")) other.push("closure");
  const standing = await readOr(() => store.standing());
  if (standing === DAMAGED) other.push("suspensions");
  else if (standing) {
    if (names(standing.suspended) !== names(await suspendedInHistory(events))) other.push("suspensions");
  }
  return { other, compared };
}

/** Whether an event changes the active gate. A suspension without an active gate has no hash and changes no gate. */
function changesGate({ type, in_force, content_hash }: GateEvent): boolean {
  if (type === "gate") return in_force === true;
  return (type === "suspended" || type === "reinstated") && content_hash !== undefined;
}

const DAMAGED = Symbol("damaged");

/** A file that is unreadable or was edited contradicts the history. */
async function readOr<T>(read: () => Promise<T>): Promise<T | typeof DAMAGED> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof InputError) return DAMAGED;
    throw cause;
  }
}

const names = (suspended: ReadonlyMap<string, unknown>) => JSON.stringify([...suspended.keys()].sort());
