import { DefensibleError, InputError } from "../../core/errors.js";
import { writeFileAtomic } from "../../io/files.js";
import { waitForLock } from "../../io/lock.js";
import { type StoredWatch, storedWatchSchema } from "../records/gate-event.js";
import {
  type GateInForce,
  type GateStanding,
  inForceSchema,
  sealed,
  sealProblem,
  standingAfter,
  standingOf,
  standingRecord,
  standingSchema,
  withStanding,
} from "../records/suspensions.js";
import { gatePaths, makeGateFolder, readJson, reserveClosure } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

/** Runs something while no other process changes the gate. Reading needs no lock: files are replaced as a whole. */
export async function withGateLock<T>(workspace: Pick<Workspace, "paths">, work: () => Promise<T>): Promise<T> {
  makeGateFolder(workspace);
  const unlock = await waitForLock(gatePaths(workspace).lock, "the gate", 100);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/**
 * The active gate, or null, with all suspensions that hold. A file that is there and cannot be understood, or was changed by other hands, is
 * an error: routing must not go on without it, nor with it.
 */
export function readGateInForce(workspace: Pick<Workspace, "paths">): GateInForce | null {
  const inForce = readJson(gatePaths(workspace).current, inForceSchema, "a gate", undefined, sealProblem);
  if (inForce === null) return null;
  return withStanding(inForce, readStanding(workspace));
}

/** Writes down who is suspended, then the gate: what is suspended in either is suspended. */
export function putInForce(
  workspace: Pick<Workspace, "paths">,
  { content_hash: _, signature: __, ...inForce }: GateInForce,
): void {
  writeStanding(workspace, standingAfter(inForce));
  writeFileAtomic(gatePaths(workspace).current, `${JSON.stringify(sealed(inForce), null, 2)}\n`);
  reserveClosure(workspace);
}

/** null: no gate has come into force here. What is there and cannot be understood is an error: a suspension may be in it. */
export function readStanding(workspace: Pick<Workspace, "paths">): GateStanding | null {
  try {
    const read = readJson(gatePaths(workspace).state, standingSchema, "a list of suspensions");
    return read && standingOf(read);
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    throw new InputError(
      "bad_gate_state",
      cause.message,
      "Restore the file, or delete it: suspensions are then taken from the gate and its history. Nothing is automated until then.",
    );
  }
}

export function writeStanding(workspace: Pick<Workspace, "paths">, standing: GateStanding): void {
  makeGateFolder(workspace);
  writeFileAtomic(gatePaths(workspace).state, `${JSON.stringify(standingRecord(standing), null, 2)}\n`);
}

const WATCH_REMEDY =
  "Restore the file from a copy, or delete it: the next `defensible gate watch` then goes through all finished runs from the beginning. Suspensions are not lost: the active gate has them.";

export function readWatch(workspace: Pick<Workspace, "paths">): StoredWatch | null {
  return readJson(gatePaths(workspace).watch, storedWatchSchema, "the state of a watch", WATCH_REMEDY);
}

export function writeWatch(workspace: Pick<Workspace, "paths">, watch: StoredWatch): void {
  makeGateFolder(workspace);
  writeFileAtomic(gatePaths(workspace).watch, `${JSON.stringify(watch)}\n`);
}
