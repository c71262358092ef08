import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import {
  GATE_KEYS,
  type Gate,
  type GateCommunity,
  type GateKey,
  gateSchema,
  suspensionSchema,
} from "../../core/gate.js";
import { communityInKey } from "../../measures/gate/route/reasons.js";
import { contentHash } from "../calibrations.js";
import type { GateEvent } from "./gate-event.js";

/** Proves that a gate is unchanged since it was written. */
interface Seal {
  /** SHA-256 of all other members of the record, in any order. */
  content_hash: string;
  /** HMAC-SHA-256 of `content_hash` under `DEFENSIBLE_GATE_KEY`, if that is set. */
  signature?: string;
}

/** The gate that `route` follows. `sampling_key` decides which automated decisions are reviewed anyway; outsiders cannot predict it. */
export interface GateInForce extends Partial<Seal> {
  gate: Gate;
  sampling_key: string;
  in_force_since: string;
  /** Whether it was activated with --apply; only another --apply then replaces it. */
  applied?: boolean | undefined;
}

export const inForceSchema = z.object({
  gate: gateSchema,
  sampling_key: z.string().min(16),
  in_force_since: z.string(),
  applied: z.boolean().optional(),
  content_hash: z.string().optional(),
  signature: z.string().optional(),
});

/** Why every gate is closed, and since when. */
export interface Closure {
  since: string;
  reason: string;
}

export const closureSchema = z.object({ since: z.string(), reason: z.string() });

/** Name of the secret by which gates are signed. Without it, write access to the workspace is not enough to create a gate that routes. */
const GATE_KEY = "DEFENSIBLE_GATE_KEY";

/** The same record with its hash, and with a signature if there is a key. */
export function sealed<T extends object>(record: T): T & Seal {
  const content_hash = hashOf(record);
  const key = gateKey();
  return { ...record, content_hash, ...(key ? { signature: sign(content_hash, key) } : {}) };
}

/** What is wrong with the seal of a record, in words that follow its name; null: nothing. */
export function sealProblem(record: object): string | null {
  const { content_hash, signature } = record as Partial<Seal>;
  if (content_hash === undefined) return "has no content_hash, so it is unknown whether it was changed";
  if (content_hash !== hashOf(record)) return "was changed after it was written; its content_hash is another";
  const key = gateKey();
  if (key === null) return null;
  if (typeof signature !== "string") return `is not signed, and ${GATE_KEY} asks for a signature`;
  const [own, given] = [sign(content_hash, key), signature].map((text) => Buffer.from(text));
  return own!.length === given!.length && timingSafeEqual(own!, given!) ? null : `is not signed with ${GATE_KEY}`;
}

/** The `content_hash` that a gate gets when it is activated. */
export function gateHash(gate: GateInForce): string {
  return hashOf(gate);
}

function hashOf(record: object): string {
  const { content_hash: _, signature: __, ...content } = record as Partial<Seal>;
  return contentHash(content);
}

function sign(hash: string, key: string): string {
  return createHmac("sha256", key).update(hash).digest("hex");
}

function gateKey(): string | null {
  return process.env[GATE_KEY] || null;
}

/** Suspended cohorts, by name. */
export type Suspensions = Map<string, NonNullable<GateCommunity["suspended"]>>;

/** State that outlives every gate, in a separate file: the suspensions, and the most recently activated gate. */
export interface GateStanding {
  /** The keys that name suspended cohorts. */
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

/** The stored form. */
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

/** The suspensions contained in a gate itself. */
export function suspendedIn({ by, communities }: Gate): Pick<GateStanding, "by" | "suspended"> {
  const suspended: Suspensions = new Map();
  for (const one of communities) if (one.suspended) suspended.set(one.community, one.suspended);
  return { by: by ?? ["community"], suspended };
}

/**
 * Suspensions translated to the cohort names of a gate. If it uses other keys, everything in a suspended cohort's community is suspended: a change
 * of keys must not open what an alarm closed.
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

/** A gate with other suspensions, including communities that it does not know. */
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

/** A suspended community without audits stays suspended until it returns. */
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

/** A gate with all current suspensions: those in the gate and those in the list that outlives it. */
export function withStanding(inForce: GateInForce, standing: GateStanding | null): GateInForce {
  if (standing === null || standing.suspended.size === 0) return inForce;
  const suspended = new Map([...suspendedIn(inForce.gate).suspended, ...carriedOver(standing, inForce.gate)]);
  return { ...inForce, gate: withSuspensions(inForce.gate, suspended) };
}

/** The state that outlives a gate, when that gate becomes active. */
export function standingAfter({ gate }: GateInForce): GateStanding {
  return { ...suspendedIn(gate), newest: { gate_id: gate.gate_id ?? null, created_at: gate.created_at ?? null } };
}

/** The suspensions according to the history, for when the active gate is lost. A lost file must not open what an alarm closed. */
export async function suspendedInHistory(
  history: AsyncIterable<GateEvent> | Iterable<GateEvent>,
): Promise<Suspensions> {
  const suspended: Suspensions = new Map();
  for await (const { type, at, community, reason, decision_time, by } of history) {
    if (typeof community !== "string") continue;
    if (type === "suspended") {
      const after = typeof decision_time === "string" ? decision_time : null;
      const alarm = { since: String(at), reason: String(reason ?? "an alarm"), after };
      suspended.set(community, by === "reviews" || by === "hand" ? { ...alarm, by } : alarm);
    }
    if (type === "reinstated") suspended.delete(community);
  }
  return suspended;
}
