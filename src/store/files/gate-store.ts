import { z } from "zod";
import { type Gate, gateSchema } from "../../core/gate.js";
import { writeFileAtomic } from "../../io/files.js";
import { waitForLock } from "../../io/lock.js";
import { gatePaths, makeGateFolder, readJson } from "./gate-files.js";
import { type Seal, sealed, sealProblem } from "./gate-seal.js";
import { carriedOver, readStanding, suspendedIn, withSuspensions, writeStanding } from "./gate-state.js";
import { reserveClosure } from "./gate-switch.js";
import type { Workspace } from "./workspace.js";

/** The gate that `route` follows. `sampling_key` decides which automated decisions are reviewed all the same; nobody outside can foresee it. */
export interface GateInForce extends Partial<Seal> {
  gate: Gate;
  sampling_key: string;
  in_force_since: string;
  /** Somebody put it in force with --apply: only another --apply replaces it. */
  applied?: boolean | undefined;
}

const inForceSchema = z.object({
  gate: gateSchema,
  sampling_key: z.string().min(16),
  in_force_since: z.string(),
  applied: z.boolean().optional(),
  content_hash: z.string().optional(),
  signature: z.string().optional(),
});

/** Runs something while no other process changes the gate. Reading needs no lock: files are replaced as a whole. */
export async function withGateLock<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
  makeGateFolder(workspace);
  const unlock = await waitForLock(gatePaths(workspace).lock, "the gate", 100);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/**
 * The gate in force, or null, with all suspensions that hold. A file that is there and cannot be understood, or was changed by other hands, is
 * an error: routing must not go on without it, nor with it.
 */
export function readGateInForce(workspace: Workspace): GateInForce | null {
  const inForce = readJson(gatePaths(workspace).current, inForceSchema, "a gate", undefined, sealProblem);
  if (inForce === null) return null;
  const standing = readStanding(workspace);
  if (standing === null || standing.suspended.size === 0) return inForce;
  const suspended = new Map([...suspendedIn(inForce.gate).suspended, ...carriedOver(standing, inForce.gate)]);
  return { ...inForce, gate: withSuspensions(inForce.gate, suspended) };
}

/** Writes down who is suspended, then the gate: what is suspended in either is suspended. */
export function putInForce(workspace: Workspace, { content_hash: _, signature: __, ...inForce }: GateInForce): void {
  const { gate } = inForce;
  makeGateFolder(workspace);
  const newest = { gate_id: gate.gate_id ?? null, created_at: gate.created_at ?? null };
  writeStanding(workspace, { ...suspendedIn(gate), newest });
  writeFileAtomic(gatePaths(workspace).current, `${JSON.stringify(sealed(inForce), null, 2)}\n`);
  reserveClosure(workspace);
}
