import { z } from "zod";
import { GATE_KEYS, type Gate, type GateCommunity, type GateKey, suspensionSchema } from "../../core/gate.js";
import { communityInKey } from "../../measures/gate/route/reasons.js";
import type { GateInForce } from "./active-gate.js";
import type { GateEvent } from "./gate-event.js";

/** Suspended cohorts, by name. */
export type Suspensions = Map<string, NonNullable<GateCommunity["suspended"]>>;

/** What outlives every gate, in a file of its own: who is suspended, and which gate was the last to come into force. */
export interface GateStanding {
  /** The keys by which suspended cohorts are named. */
  by: readonly GateKey[];
  suspended: Suspensions;
  newest: { gate_id: string | null; created_at: string | null };
}

export const standingSchema = z.object({
  format: z.literal(1),
  by: z.array(z.enum(GATE_KEYS)).min(1),
  suspended: z.array(suspensionSchema.extend({ community: z.string() })),
  newest_gate: z.object({ gate_id: z.string().nullable(), created_at: z.string().nullable() }),
});

/** The form in which it is kept. */
export function standingRecord({ by, suspended, newest }: GateStanding): z.infer<typeof standingSchema> {
  const list = [...suspended].map(([community, suspension]) => ({ community, ...suspension }));
  return { format: 1, by: [...by], suspended: list, newest_gate: newest };
}

export function standingOf({ by, suspended, newest_gate }: z.infer<typeof standingSchema>): GateStanding {
  return {
    by,
    suspended: new Map(suspended.map(({ community, ...suspension }) => [community, suspension])),
    newest: newest_gate,
  };
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

/** A gate with every suspension that holds: what is suspended in the gate or in the list that outlives it is suspended. */
export function withStanding(inForce: GateInForce, standing: GateStanding | null): GateInForce {
  if (standing === null || standing.suspended.size === 0) return inForce;
  const suspended = new Map([...suspendedIn(inForce.gate).suspended, ...carriedOver(standing, inForce.gate)]);
  return { ...inForce, gate: withSuspensions(inForce.gate, suspended) };
}

/** What outlives a gate that becomes active. */
export function standingAfter({ gate }: GateInForce): GateStanding {
  return { ...suspendedIn(gate), newest: { gate_id: gate.gate_id ?? null, created_at: gate.created_at ?? null } };
}

/** Who is suspended by what the history says: for the case that the gate in force is lost. A lost file must not open what an alarm closed. */
export async function suspendedInHistory(history: AsyncIterable<GateEvent>): Promise<Suspensions> {
  const suspended: Suspensions = new Map();
  for await (const { type, at, community, reason, decision_time, by } of history) {
    if (typeof community !== "string") continue;
    if (type === "suspended") {
      const after = typeof decision_time === "string" ? decision_time : null;
      const alarm = { since: String(at), reason: String(reason ?? "an alarm"), after };
      suspended.set(community, by === "reviews" ? { ...alarm, by } : alarm);
    }
    if (type === "reinstated") suspended.delete(community);
  }
  return suspended;
}
