import type { GateMode } from "../../src/core/gate.js";
import type { CommunityEvaluation } from "../../src/measures/gate/gate-evaluation.js";
import { whole } from "../../src/present/words/numbers.js";

/** Why there is no number of decisions that would open the gate, in the words of a cell; null where there is one. */
export function noNumber(community: CommunityEvaluation, mode: GateMode, min: number): string | null {
  const { n } = community;
  const { more, reason } = community[mode];
  // Without a verdict no rate was seen, so nobody knows how many it takes.
  if (n === 0) return `at least ${whole(min)}`;
  if (more !== null) return null;
  // Too few to judge by: what is seen of the rates may change on the way.
  if (n < min) return `at least ${whole(min - n)}, and better rates`;
  return reason === null || reason.startsWith("no number of decisions helps") ? "no number helps" : reason;
}
