import type { Auditor } from "../auditors/auditor.js";
import { HashSample } from "../workspace/cohort-sample.js";
import { type Flips, OPPOSITE_ARM } from "./arms.js";
import type { DecisionSource } from "./selection.js";

/**
 * Decisions of a run whose opposite is audited too, drawn by the seed; null: none. An auditor that answers from a file flips what the
 * file has an answer for.
 */
export async function drawFlips(
  source: DecisionSource,
  size: number,
  { seed, auditor }: { seed: number; auditor: Auditor },
): Promise<Flips | null> {
  if (size <= 0) return null;
  const knows = auditor.knows ? (id: string) => auditor.knows!(id, OPPOSITE_ARM.name) : () => true;
  const sample = size === Number.POSITIVE_INFINITY ? null : new HashSample(seed, size);
  let any = false;
  for await (const batch of source()) {
    for (const { id } of batch) {
      if (!knows(id)) continue;
      any = true;
      sample?.add(id);
    }
    if (any && !sample) break;
  }
  if (!any) return null;
  const drawn = sample && new Set(sample.ids());
  return drawn ? (id) => drawn.has(id) : knows;
}
