import type { CauseCount, GapCells, TruthSource } from "../../analysis/labels/true-verdicts.js";
import { type DefinedEstimate, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { TRUE_CAUSES } from "../../core/records/label.js";
import { AGREEMENT_MASKS, confusion, f1, f1Statistic, rateStatistic } from "../../measures/metrics/agreement.js";
import { DEFENSIBLE, defensibilityIndex, rate } from "../../measures/metrics/indices.js";
import { cohortMetrics, trapMetrics } from "../../measures/metrics/report-metrics.js";
import { type CellStatistic, minus, smoothDifference, smoothEstimate } from "../../measures/metrics/smooth.js";
import { ALL_CELLS, cellMask, countIn, countRate, LABELLED, type Tally } from "../../measures/metrics/tally.js";
import { hasWidth, type Interval, proportion } from "../../stats/intervals/proportion.js";
import { f1AtPrevalence } from "../../stats/ranks/detection.js";
import { cohenKappa } from "../../stats/ranks/raters.js";
import { rateDifference } from "../circularity/differences.js";
import type { GapColumn, GapImbalance, GapTruth } from "./result.js";

const HUMAN_POSITIVE = cellMask((cell) => cell.humanPositive === true);
const DECIDED_POSITIVE = cellMask((cell) => cell.positive && cell.humanPositive !== null);

/**
 * Splits the gap DI − F1 in two: the part that exists at any agreement because one action is rare, and the part that disagreement adds.
 *
 * With D = DI and π the share of labels that restrict, F(D, π) = 2πD / (2πD + 1 − D) is the F1 of a decider that agrees with people at the
 * rate D on both actions. DI − F1 = (D − F) + (F − F1). Intervals by linearisation, and over communities by leaving out one at a time:
 * ∂F/∂D = 2π/W², ∂F/∂π = 2D(1 − D)/W², W = 2πD + 1 − D. If all verdicts are alike, D is 0 or 1, all slopes vanish and the linearised
 * interval has no width. Then the intervals of D and π together are carried through D − F and F, which gives a wider interval than
 * necessary.
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
    // If everything is defensible and nothing restricts, F is 0/0 and has no slope; that case was returned as undefined above.
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

/** Extends an estimate by the image of the intervals of D and π under the function that it is of both. */
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

/** D − F falls as π rises. For a fixed π it has one sign for D between 0 and 1, is 0 at both ends and turns once, where W² = 2π. */
function imageOfDifference({ lower, upper }: Interval, positive: Interval): Interval {
  const values = (share: number) => {
    const turn = (1 - Math.sqrt(2 * share)) / (1 - 2 * share);
    return [lower, upper, ...(turn > lower && turn < upper ? [turn] : [])].map((rate) => rate - scoreAt(rate, share));
  };
  return { lower: Math.min(...values(positive.upper)), upper: Math.max(...values(positive.lower)) };
}

/** F. At D = 1 and π = 0 it is 0/0; there it is taken as 1, its value at D = 1 for every other π. */
function scoreAt(rate: number, positive: number): number {
  return rate === 1 ? 1 : (2 * positive * rate) / (2 * positive * rate + 1 - rate);
}

/** The causes that an audit can distinguish. */
const AUDITED_CAUSES = ["model_error", "policy_ambiguity", "implicit_norm"] as const;

type ColumnSource = Pick<GapColumn, "name" | "run_id" | "auditor" | "cohort">;

/** One column of the gap table: a cohort of a run, or a file. */
export function gapColumn(source: ColumnSource, cells: GapCells, truth: TruthSource | null): GapColumn {
  const { tallies } = cells;
  return {
    ...source,
    communities: tallies.length,
    ...cohortMetrics(tallies),
    ...trapMetrics(tallies),
    fn_against_others: fnAgainstOthers(tallies),
    imbalance: classImbalance(tallies),
    truth: truth && cells.truth.length > 0 ? truthOf(truth, cells) : null,
  };
}

/**
 * Whether decisions that agreement counts as misses are defensible as often as all others. If they are, the share of defensible misses says
 * no more than DI does. False negatives are compared with the rest, not with all decisions, so that the groups share no decision. share_fn
 * − DI is this difference times the share of the rest.
 */
function fnAgainstOthers(tallies: readonly Tally[]): Estimate {
  const groups = tallies.map((tally) => {
    const misses = countRate(tally, AGREEMENT_MASKS.FALSE_NEGATIVE, DEFENSIBLE);
    const all = countRate(tally, ALL_CELLS, DEFENSIBLE);
    return { k1: misses.k, n1: misses.n, k0: all.k - misses.k, n0: all.n - misses.n };
  });
  return rateDifference(groups, "there are no false negatives, or nothing else");
}

function truthOf({ kind, under }: TruthSource, { tallies, matched, truth, causes }: GapCells): GapTruth {
  const n = verdictsOf(truth);
  return {
    source: kind,
    under,
    n,
    without_truth: verdictsOf(tallies) - n,
    measured: indicesOf(matched),
    ...indicesOf(truth),
    causes: causeTable(causes),
  };
}

function verdictsOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, tally) => sum + countIn(tally, ALL_CELLS), 0);
}

/** The indices by which auditor and truth are compared. */
function indicesOf(tallies: readonly Tally[]): NonNullable<GapTruth["measured"]> {
  const { defensibility_index, ambiguity_index, ambiguity_pure, gap } = cohortMetrics(tallies);
  return { defensibility_index, ambiguity_index, ambiguity_pure, gap, trap: trapMetrics(tallies).trap };
}

/** Audited causes against true ones. True causes without any disagreement are left out, unless an audit can name them. */
export function causeTable(counted: readonly CauseCount[]): GapTruth["causes"] {
  const present = TRUE_CAUSES.filter((cause) => counted.some((row) => row.true === cause));
  const columns = [...AUDITED_CAUSES, ...present.filter((cause) => !isAudited(cause))];
  const at = (audited: string, cause: string) =>
    counted.reduce((sum, row) => (row.audited === audited && row.true === cause ? sum + row.n : sum), 0);
  const counts = AUDITED_CAUSES.map((audited) => columns.map((cause) => at(audited, cause)));
  const n = counts.flat().reduce((sum, count) => sum + count, 0);
  const right = AUDITED_CAUSES.reduce((sum, _, i) => sum + counts[i]![i]!, 0);
  // κ needs a square table: true causes that no audit can name become empty rows.
  const square = columns.map((_, i) => counts[i] ?? columns.map(() => 0));
  return {
    audited: [...AUDITED_CAUSES],
    true: columns,
    counts,
    accuracy: n > 0 ? proportion(right, n) : undefinedEstimate("no labelled disagreement has a known cause"),
    kappa: n > 0 ? cohenKappa(square) : undefinedEstimate("no labelled disagreement has a known cause"),
  };
}

function isAudited(cause: string): boolean {
  return (AUDITED_CAUSES as readonly string[]).includes(cause);
}
