import { type GateAdjustment, levelToReach, rankPValues } from "./adjustment.js";
import { type CertifiedVerdict, testingOrder } from "./certified-gate.js";
import type { GateCohort, GateLimits } from "./gate-input.js";

/** The level that a cohort's own p = 1/E has to reach; null with the reason where that alone would not do. */
export interface CertifiedLevel {
  level: number | null;
  reason: string | null;
}

/**
 * For each cohort the level it has to reach to pass, all others staying as they are. A cohort below the minimum is not
 * among the tests yet and would join them as one more. In a fixed sequence only the first that fails has a level.
 */
export function certifiedLevels(input: {
  cohorts: readonly GateCohort[];
  limits: GateLimits;
  certified: readonly CertifiedVerdict[];
  adjust: GateAdjustment;
  delta: number;
}): CertifiedLevel[] {
  const { cohorts, limits, certified, adjust, delta } = input;
  const tested = testingOrder(cohorts, limits, adjust);
  const levels: CertifiedLevel[] = cohorts.map(() => ({ level: delta, reason: null }));
  if (adjust === "fixed_sequence") {
    const stop = tested.findIndex((index) => certified[index]!.p > delta);
    if (stop === -1) return levels;
    const reason = `the sequence stops before it, at ${cohorts[tested[stop]!]!.key}`;
    const reached = new Set(tested.slice(0, stop + 1));
    return levels.map((level, index) => (reached.has(index) ? level : { level: null, reason }));
  }
  const { sorted, rank } = rankPValues(tested.map((index) => certified[index]!.p));
  const rule = adjust === "holm" ? adjust : "bh";
  const joining = levelToReach(sorted, null, rule, delta);
  for (const level of levels) level.level = joining;
  tested.forEach((index, place) => {
    levels[index]!.level = levelToReach(sorted, rank[place]!, rule, delta);
  });
  return levels;
}
