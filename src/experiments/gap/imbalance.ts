import { type DefinedEstimate, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { GapImbalance } from "../../core/results/gap-experiment.js";
import { confusion, f1, f1Statistic, rateStatistic } from "../../measures/metrics/agreement.js";
import { DEFENSIBLE, defensibilityIndex } from "../../measures/metrics/defensibility-index.js";
import { rate } from "../../measures/metrics/rate.js";
import { type CellStatistic, minus, smoothDifference, smoothEstimate } from "../../measures/metrics/smooth.js";
import { ALL_CELLS, cellMask, LABELLED, type Tally } from "../../measures/metrics/tally.js";
import { f1AtPrevalence } from "../../stats/intervals/f1-at-prevalence.js";
import { hasWidth, type Interval } from "../../stats/intervals/interval.js";

const HUMAN_POSITIVE = cellMask((cell) => cell.humanPositive === true);
const DECIDED_POSITIVE = cellMask((cell) => cell.positive && cell.humanPositive !== null);

/**
 * Splits the gap DI − F1 in two: what is there at any agreement because one action is rare, and what disagreement adds.
 *
 * With D = DI and π the share of labels that restrict, F(D, π) = 2πD / (2πD + 1 − D) is the F1 of a decider that agrees with people at the
 * rate D on both actions. DI − F1 = (D − F) + (F − F1). Intervals by linearisation, over communities by leaving out one at a time: ∂F/∂D = 2π/W², ∂F/∂π = 2D(1 − D)/W², W = 2πD + 1 − D.
 * Where every verdict is alike, D is 0 or 1, all slopes vanish and the linearised interval has no width: then the intervals of D
 * and π together are carried through D − F and F, which is wider than it need be.
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
  const at =
    index.estimate === null || humans.estimate === null
      ? null
      : f1AtPrevalence(index.estimate, 1 - index.estimate, humans.estimate);
  if (index.estimate === null || humans.estimate === null || score.estimate === null || at === null || humans.n < 2) {
    const missing = [index, humans, score].find((estimate) => estimate.estimate === null);
    const reason = missing?.estimate === null ? missing.reason : "no label restricts, or fewer than two labels";
    const none = undefinedEstimate(reason, humans.n);
    return { ...shares, f1_at_di: at, arithmetic: none, disagreement: none, explains: false };
  }
  const { arithmetic, disagreement } = parts(tallies, { index, humans, score }, at);
  const gap = index.estimate - score.estimate;
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
  { index, humans, score }: Record<"index" | "humans" | "score", DefinedEstimate>,
  at: number,
): Record<"arithmetic" | "disagreement", Estimate> {
  const [rate, positive, n] = [index.estimate, humans.estimate, humans.n];
  const whole = 2 * positive * rate + 1 - rate;
  const ofIndex = rateStatistic(tallies, ALL_CELLS, DEFENSIBLE);
  const ofPositive = rateStatistic(tallies, LABELLED, HUMAN_POSITIVE);
  const ofAt: CellStatistic = {
    parts: [...ofIndex.parts, ...ofPositive.parts],
    value: (counts) => {
      const [d, share] = [ofIndex.value(counts.slice(0, 2)), ofPositive.value(counts.slice(2))];
      return d === null || share === null ? null : f1AtPrevalence(d, 1 - d, share);
    },
    // Where everything is defensible and nothing restricts, F is 0/0 and has no slope; it was undefined above.
    influence: (j) =>
      (2 * positive * ofIndex.influence(j) + 2 * rate * (1 - rate) * ofPositive.influence(j)) / whole ** 2,
    counted: [ALL_CELLS, LABELLED],
  };
  const arithmetic = smoothEstimate(minus(ofIndex, ofAt), tallies, n, [-1, 1]);
  return {
    arithmetic: hasWidth(arithmetic) ? arithmetic : carried(arithmetic, index, humans, imageOfDifference),
    disagreement: smoothDifference(
      carried({ ...index, estimate: at }, index, humans, imageOfScore),
      score,
      minus(ofAt, f1Statistic(confusion(tallies))),
      tallies,
      n,
    ),
  };
}

/** An estimate with the intervals of D and π carried through the function of both that it is. */
function carried(
  { cluster: _, ...estimate }: DefinedEstimate,
  index: DefinedEstimate,
  humans: DefinedEstimate,
  image: (index: Interval, positive: Interval) => Interval,
): DefinedEstimate {
  const method = "intervals of both rates carried through";
  const [a, b] = [index.cluster, humans.cluster];
  return {
    ...estimate,
    ...image(index, humans),
    method,
    ...(a && b ? { cluster: { ...a, ...image(a, b), method, design_effect: null } } : {}),
  };
}

/** F rises with D and with π. */
function imageOfScore(index: Interval, positive: Interval): Interval {
  return { lower: scoreAt(index.lower, positive.lower), upper: scoreAt(index.upper, positive.upper) };
}

/** D − F falls as π rises; at one π it has one sign between 0 and 1, is 0 at both ends and turns once: where W² = 2π. */
function imageOfDifference({ lower, upper }: Interval, positive: Interval): Interval {
  const values = (share: number) => {
    const turn = (1 - Math.sqrt(2 * share)) / (1 - 2 * share);
    return [lower, upper, ...(turn > lower && turn < upper ? [turn] : [])].map((rate) => rate - scoreAt(rate, share));
  };
  return { lower: Math.min(...values(positive.upper)), upper: Math.max(...values(positive.lower)) };
}

/** F; where D is 1 and π is 0 it is 0/0, and 1 as for every other π. */
function scoreAt(rate: number, positive: number): number {
  return rate === 1 ? 1 : (2 * positive * rate) / (2 * positive * rate + 1 - rate);
}
