import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type Gate, gateSchema } from "../../core/gate.js";
import { contentHash } from "../calibrations.js";

/** By which a gate is known to be as it was written. */
export interface Seal {
  /** SHA-256 of everything else in the record, whatever the order of its members. */
  content_hash: string;
  /** HMAC-SHA-256 of `content_hash` under `DEFENSIBLE_GATE_KEY`, where that is set. */
  signature?: string;
}

/** The gate that `route` follows. `sampling_key` decides which automated decisions are reviewed all the same; nobody outside can foresee it. */
export interface GateInForce extends Partial<Seal> {
  gate: Gate;
  sampling_key: string;
  in_force_since: string;
  /** Somebody put it in force with --apply: only another --apply replaces it. */
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

/** Why and since when every gate is closed. */
export interface Closure {
  since: string;
  reason: string;
}

export const closureSchema = z.object({ since: z.string(), reason: z.string() });

/** Names a secret by which gates are signed. Whoever can write the workspace but does not know it can make no gate that routes. */
const GATE_KEY = "DEFENSIBLE_GATE_KEY";

/** The same record with its hash, and signed where there is a key. */
export function sealed<T extends object>(record: T): T & Seal {
  const content_hash = hashOf(record);
  const key = gateKey();
  return { ...record, content_hash, ...(key ? { signature: sign(content_hash, key) } : {}) };
}

/** What is wrong with the seal of a record, in words that follow its name; null: nothing. */
export function sealProblem(record: object): string | null {
  const { content_hash, signature } = record as Partial<Seal>;
  if (content_hash === undefined) return "has no content_hash, so it cannot be told whether it was changed";
  if (content_hash !== hashOf(record)) return "was changed after it was written; its content_hash is another";
  const key = gateKey();
  if (key === null) return null;
  if (typeof signature !== "string") return `is not signed, and ${GATE_KEY} asks for a signature`;
  const [own, given] = [sign(content_hash, key), signature].map((text) => Buffer.from(text));
  return own!.length === given!.length && timingSafeEqual(own!, given!) ? null : `is not signed with ${GATE_KEY}`;
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
