import { z } from "zod";
import { sha256 } from "./canonical.js";
import type { ChainEntry } from "./chain.js";

/** The log of erasures, and its name in the chain. */
export const ERASURES = "erasures";

/** The remains of an erasure. Chained records are listed with their current hash, because the hash in the chain has lost its salt. */
const tombstoneSchema = z.strictObject({
  /** SHA-256 of the decision's id. */
  decision: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
  by: z.string(),
  reason: z.string(),
  records: z.array(z.strictObject({ source: z.string(), n: z.number().int().min(0), hash: z.string() })),
});

export type Tombstone = z.infer<typeof tombstoneSchema>;

/** Who erases, when and why. */
export type Eraser = Pick<Tombstone, "at" | "by" | "reason">;

/** null: not a tombstone. */
export function readTombstone(text: string): Tombstone | null {
  try {
    return tombstoneSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether tombstones erased a part of an entry's record. An entry without `rest` was sealed after the erasure: its salt alone proves it. */
export function isErasedBy(tombstones: readonly Tombstone[]): (entry: ChainEntry) => boolean {
  const key = ({ source, n }: { source: string; n: number }) => JSON.stringify([source, n]);
  const named = new Set(tombstones.flatMap(({ records }) => records.map(key)));
  return (entry) => entry.rest !== undefined && named.has(key(entry));
}

/** The same record after the erasure; null: nothing in it is erased. */
export type ErasedRecord = (source: string, record: string) => { decision: string; record: string } | null;

/** A tombstone for each decision without one, or with chained records to change that none lists. `sources`: the current log records. */
export function newTombstones(
  ids: readonly string[],
  sources: readonly { source: string; records: readonly string[] }[],
  { at, by, reason }: Eraser,
  erased: ErasedRecord,
): Tombstone[] {
  const known = new Set<string>();
  const named = new Set<string>();
  for (const text of sources.find(({ source }) => source === ERASURES)?.records ?? []) {
    const tombstone = readTombstone(text);
    if (!tombstone) continue;
    known.add(tombstone.decision);
    for (const { source, n, hash } of tombstone.records) named.add(JSON.stringify([source, n, hash]));
  }
  const changes = new Map<string, Tombstone["records"]>(ids.map((id) => [id, []]));
  for (const { source, records } of sources) {
    records.forEach((record, n) => {
      const change = erased(source, record);
      if (!change || change.record === record) return;
      const hash = sha256(change.record);
      if (!named.has(JSON.stringify([source, n, hash]))) changes.get(change.decision)?.push({ source, n, hash });
    });
  }
  return [...changes].flatMap(([id, records]): Tombstone[] => {
    const decision = sha256(id);
    return known.has(decision) && records.length === 0 ? [] : [{ decision, at, by, reason, records }];
  });
}
