import { createHash } from "node:crypto";
import { FLIP_ARM } from "../../core/names.js";
import { auditKey, drawKey } from "../../core/records/audit.js";
import type { Manifest } from "../../core/records/manifest.js";

/** More replicates than any experiment asks for. */
const MOST_REPLICATES = 64;

/** A question's name at a provider of batches: what it may be called is narrower than what a decision may. */
export function batchId(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

/** Names at the provider of every question that a run may have asked about decisions. */
export function questionIds(manifest: Partial<Manifest> | null, ids: Iterable<string>): Set<string> {
  const names = new Set<string>();
  const own = manifest?.experiment?.arms.map(({ name }) => name) ?? [];
  const replicates = Math.max(MOST_REPLICATES, manifest?.replicates ?? 1);
  for (const id of ids) {
    for (const arm of new Set(["", "human", FLIP_ARM, ...own])) {
      for (let replicate = 0; replicate < replicates; replicate++) {
        for (let draw = 0; draw < (manifest?.samples ?? 1); draw++) {
          names.add(batchId(drawKey(auditKey(id, arm, replicate), draw)));
        }
      }
    }
  }
  return names;
}
