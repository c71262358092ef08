import { z } from "zod";
import { DefensibleError, InputError } from "../../core/errors.js";
import { GATE_KEYS, type Gate, type GateCommunity, type GateKey, suspensionSchema } from "../../core/gate.js";
import { writeFileAtomic } from "../../io/files.js";
import { communityInKey } from "../../measures/gate/cohort-key.js";
import { gatePaths, readJson } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

/** Suspended cohorts, by name. */
export type Suspensions = Map<string, NonNullable<GateCommunity["suspended"]>>;

/** What outlives every gate, in a file of its own: who is suspended, and which gate was the last to come into force. */
export interface GateStanding {
  /** The keys by which suspended cohorts are named. */
  by: readonly GateKey[];
  suspended: Suspensions;
  newest: { gate_id: string | null; created_at: string | null };
}

const schema = z.object({
  format: z.literal(1),
  by: z.array(z.enum(GATE_KEYS)).min(1),
  suspended: z.array(suspensionSchema.extend({ community: z.string() })),
  newest_gate: z.object({ gate_id: z.string().nullable(), created_at: z.string().nullable() }),
});

/** null: no gate has come into force here. What is there and cannot be understood is an error: a suspension may be in it. */
export function readStanding(workspace: Pick<Workspace, "paths">): GateStanding | null {
  try {
    const read = readJson(gatePaths(workspace).state, schema, "a list of suspensions");
    if (read === null) return null;
    const suspended = new Map(read.suspended.map(({ community, ...suspension }) => [community, suspension]));
    return { by: read.by, suspended, newest: read.newest_gate };
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    throw new InputError(
      "bad_gate_state",
      cause.message,
      "Restore the file, or delete it: suspensions are then taken from the gate and its history. Nothing is automated until then.",
    );
  }
}

export function writeStanding(workspace: Pick<Workspace, "paths">, { by, suspended, newest }: GateStanding): void {
  const list = [...suspended].map(([community, suspension]) => ({ community, ...suspension }));
  const content = { format: 1, by, suspended: list, newest_gate: newest };
  writeFileAtomic(gatePaths(workspace).state, `${JSON.stringify(content, null, 2)}\n`);
}

/** Who is suspended by what a gate itself says. */
export function suspendedIn({ by, communities }: Gate): Pick<GateStanding, "by" | "suspended"> {
  const suspended: Suspensions = new Map();
  for (const one of communities) if (one.suspended) suspended.set(one.community, one.suspended);
  return { by: by ?? ["community"], suspended };
}

/**
 * Suspensions by the names of a gate. Where it divides by other keys, whatever has a suspended cohort's community is suspended: a change of
 * keys must not open what an alarm closed.
 */
export function carriedOver(
  { by, suspended }: Pick<GateStanding, "by" | "suspended">,
  gate: { by?: readonly GateKey[] | undefined; communities: readonly { community: string }[] },
): Suspensions {
  const after = gate.by ?? ["community"];
  const carried: Suspensions = new Map(suspended);
  if (by.join() === after.join()) return carried;
  const communities = new Map([...suspended].map(([key, value]) => [communityInKey(by, key), value]));
  for (const { community: key } of gate.communities) {
    const found = communities.get(communityInKey(after, key));
    if (found) carried.set(key, found);
  }
  return carried;
}

/** A gate with other suspensions, also of communities that it does not know. */
export function withSuspensions(gate: Gate, suspended: Suspensions): Gate {
  const known = new Set(gate.communities.map((one) => one.community));
  return {
    ...gate,
    communities: [
      ...gate.communities.map((one) => ({ ...one, suspended: suspended.get(one.community) ?? null })),
      ...absentFrom(known, suspended),
    ],
  };
}

/** A suspended community without audits stays suspended for the day it comes back. */
export function absentFrom(known: ReadonlySet<string>, suspended: Suspensions): GateCommunity[] {
  return [...suspended]
    .filter(([community]) => !known.has(community))
    .map(([community, suspension]) => ({
      community,
      n: 0,
      indefensible: 0,
      inverse_yes: 0,
      di: null,
      ai: null,
      state: "insufficient",
      suspended: suspension,
      passes: { paper: false, shrunk: false, certified: false },
      more_decisions_needed: null,
    }));
}
