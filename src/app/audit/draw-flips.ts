import { type Flips, OPPOSITE_ARM } from "../../audit/arms.js";
import type { DecisionSource } from "../../audit/prefix-order.js";
import type { Auditor } from "../../auditors/auditor.js";
import type { Decision } from "../../core/records/decision.js";
import { HashSample } from "../../store/records/cohort-sample.js";

/**
 * Decisions of a run whose opposite is audited too, drawn by the seed; null: none. An auditor that answers from a file flips what the
 * file has an answer for. Of a decision under no rule nothing is asked, its opposite neither.
 */
export async function drawFlips(
  source: DecisionSource,
  size: number,
  { seed, auditor, hasRules }: { seed: number; auditor: Auditor; hasRules: (decision: Decision) => boolean },
): Promise<Flips | null> {
  if (size <= 0) return null;
  const knows = auditor.knows ? (id: string) => auditor.knows!(id, OPPOSITE_ARM.name) : () => true;
  const sample = size === Number.POSITIVE_INFINITY ? null : new HashSample(seed, size);
  let any = false;
  for await (const batch of source()) {
    for (const decision of batch) {
      if (!knows(decision.id) || !hasRules(decision)) continue;
      any = true;
      sample?.add(decision.id);
    }
    if (any && !sample) break;
  }
  if (!any) return null;
  const drawn = sample && new Set(sample.ids());
  return drawn ? (id) => drawn.has(id) : knows;
}
