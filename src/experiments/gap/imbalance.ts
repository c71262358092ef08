import { type Estimate, undefinedEstimate } from "../../domain/estimate.js";
import type { GapImbalance } from "../../domain/gap-experiment.js";
import { confusion, f1, f1Influence, rateInfluence } from "../../metrics/agreement.js";
import { DEFENSIBLE, defensibilityIndex } from "../../metrics/defensibility-index.js";
import { rate } from "../../metrics/rate.js";
import { smoothEstimate } from "../../metrics/smooth.js";
import { ALL_CELLS, cellMask, LABELLED, type Tally } from "../../metrics/tally.js";
import { f1AtPrevalence } from "../../stats/f1-at-prevalence.js";

const HUMAN_POSITIVE = cellMask((cell) => cell.humanPositive === true);
const DECIDED_POSITIVE = cellMask((cell) => cell.positive && cell.humanPositive !== null);

/**
 * Splits the gap DI − F1 in two: what is there at any agreement because one action is rare, and what disagreement adds.
 *
 * With D = DI and π the share of labels that restrict, F(D, π) = 2πD / (2πD + 1 − D) is the F1 of a decider that agrees with people at the
 * rate D on both actions. DI − F1 = (D − F) + (F − F1). Intervals by linearisation: ∂F/∂D = 2π/W², ∂F/∂π = 2D(1 − D)/W², W = 2πD + 1 − D.
 */
export function classImbalance(tallies: readonly Tally[]): GapImbalance {
  const index = defensibilityIndex(tallies);
  const score = f1(tallies);
  const humans = rate(tallies, LABELLED, HUMAN_POSITIVE, { empty: "no verdict has a human label" });
  const { tp, fp, fn, tn } = confusion(tallies);
  const balanced = tp + fn > 0 && fp + tn > 0 ? f1AtPrevalence(tp / (tp + fn), fp / (fp + tn), 0.5) : null;
  const shares = {
    human_positive: humans,
    decided_positive: rate(tallies, LABELLED, DECIDED_POSITIVE, { empty: "no verdict has a human label" }),
    f1_if_balanced: balanced,
  };
  const missing = [index, humans, score].find((estimate) => estimate.estimate === null);
  const at =
    index.estimate === null || humans.estimate === null
      ? null
      : f1AtPrevalence(index.estimate, 1 - index.estimate, humans.estimate);
  if (missing || at === null || humans.n < 2) {
    const reason = missing?.estimate === null ? missing.reason : "no label restricts, or fewer than two labels";
    const none = undefinedEstimate(reason, humans.n);
    return { ...shares, f1_at_di: at, arithmetic: none, disagreement: none, explains: false };
  }
  const { arithmetic, disagreement } = parts(tallies, index.estimate!, humans.estimate!, at, score.estimate!, humans.n);
  const gap = index.estimate! - score.estimate!;
  return {
    ...shares,
    f1_at_di: at,
    arithmetic,
    disagreement,
    explains: gap > 0 && arithmetic.estimate! >= gap / 2,
  };
}

function parts(
  tallies: readonly Tally[],
  index: number,
  positive: number,
  at: number,
  score: number,
  n: number,
): Record<"arithmetic" | "disagreement", Estimate> {
  const whole = 2 * positive * index + 1 - index;
  const byIndex = rateInfluence(tallies, ALL_CELLS, DEFENSIBLE);
  const byPositive = rateInfluence(tallies, LABELLED, HUMAN_POSITIVE);
  const byScore = f1Influence(tallies);
  // Where everything is defensible and nothing restricts, F is 0/0 and has no slope; it was undefined above.
  const ofAt = byIndex.map(
    (value, j) => (2 * positive * value + 2 * index * (1 - index) * byPositive[j]!) / whole ** 2,
  );
  const minus = (a: Float64Array, b: Float64Array) => a.map((value, j) => value - b[j]!);
  return {
    arithmetic: smoothEstimate(index - at, tallies, minus(byIndex, ofAt), n, [-1, 1]),
    disagreement: smoothEstimate(at - score, tallies, minus(ofAt, byScore), n, [-1, 1]),
  };
}
