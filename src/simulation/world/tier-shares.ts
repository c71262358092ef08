import type { SimulatedCohort } from "../../core/results/simulation.js";
import { levelShares } from "./level-shares.js";

type Tiers = NonNullable<SimulatedCohort["tiers"]>;
type VerdictShares = Tiers["remove"]["title"];

/** What is published of one tier. */
export interface PublishedTier {
  di: number;
  ai: number;
  /** Of removals: share of level 1, and Ambiguity Index. */
  removal: { level1: number; ai: number };
}

/**
 * Shares of the verdicts of removals and of approvals at one tier, from its published totals. Two things must be assumed, for they are not printed:
 * the share of removals among the decisions, and that removals and approvals have the same share of level 3.
 *
 * Formula: l3 = 1 − DI for both. Removals: l2 = DI − l1; a2 = (AI_R − a1 l1 − a3 l3)/l2. Approvals: AI_A = (AI − q AI_R)/(1 − q), levels as
 * `levelShares` has them. Verdict shares: (1, No) = l1, (2, No) = (1 − a2) l2, (2, Yes) = a2 l2, (3, Yes) = a3 l3, (3, No) = (1 − a3) l3.
 * Range: five shares that sum to 1, for each decision. What fires at level 1 is an auditor's error: no verdict (1, Yes) is planted.
 * Undefined when: the rates contradict each other or the share of removals: RangeError.
 * Differs from the paper: derived, not printed there.
 * @see paper §6, table of rule specificity
 */
export function tierShares(
  tier: PublishedTier,
  inverse: readonly [number, number, number],
  removals: number,
): { remove: VerdictShares; approve: VerdictShares } {
  const [a1, , a3] = inverse;
  const l3 = 1 - tier.di;
  const { level1, ai } = tier.removal;
  const l2 = tier.di - level1;
  const a2 = (ai - a1 * level1 - a3 * l3) / l2;
  const approvals = (tier.ai - removals * ai) / (1 - removals);
  const levels = levelShares({ di: tier.di, ai: approvals, inverse });
  return {
    remove: verdictShares([level1, l2, l3], a2, a3),
    approve: verdictShares(levels, inverse[1], a3),
  };
}

function verdictShares([l1, l2, l3]: readonly [number, number, number], a2: number, a3: number): VerdictShares {
  const shares: VerdictShares = [l1, (1 - a2) * l2, a2 * l2, a3 * l3, (1 - a3) * l3];
  if (!shares.every((share) => share >= 0 && share <= 1)) {
    throw new RangeError(`tier: rates contradict each other; they give verdict shares ${shares.join(", ")}`);
  }
  return shares;
}
