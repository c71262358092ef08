import type { StabilityGroup } from "../../core/names.js";
import type { GroupMeans, GroupTest } from "../../experiments/stability/result.js";
import { bootstrapEstimate } from "../../stats/resampling/stratified-bootstrap.js";
import { mannWhitney } from "../../stats/tests/mann-whitney.js";
import { holm } from "../../stats/tests/multiple-testing.js";
import { type Analysed, type CellAnalysis, cellOf } from "./analyse-cells.js";
import { dominantShare, thirdShare } from "./cell-stats.js";
import { type CaseBootstrap, caseColumn, type Statistic } from "./tallies.js";

/** Statistics of a bootstrap draw: a weight is how often a case was drawn, and NaN marks a case without the value. */

export function weightedMean(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  keep?: ArrayLike<number>,
): number | null {
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i += 1) {
    if (keep && keep[i] === 0) continue;
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    sum += weights[i]! * value;
    total += weights[i]!;
  }
  return total === 0 ? null : sum / total;
}

/** A sum of products smaller than this share of the sum of their absolute values is rounding. */
const DUST = 1e-12;

/** Slope of the least-squares line through (x, y), exactly 0 if y does not vary; null if any y is null, or x does not vary. */
export function slope(x: readonly number[], y: readonly (number | null)[]): number | null {
  if (y.some((value) => value === null)) return null;
  const meanX = x.reduce((sum, value) => sum + value, 0) / x.length;
  let [squares, products, sizes] = [0, 0, 0];
  x.forEach((value, i) => {
    squares += (value - meanX) ** 2;
    products += (value - meanX) * y[i]!;
    sizes += Math.abs((value - meanX) * y[i]!);
  });
  if (squares < 1e-12) return null;
  // Draws are counted as above or below "no slope", so a rounding error must not have a sign.
  return Math.abs(products) <= DUST * sizes ? 0 : products / squares;
}

/** A quotient; null if it is undefined. */
function ratio(numerator: number | null, denominator: number | null): number | null {
  return numerator === null || denominator === null || denominator === 0 ? null : numerator / denominator;
}

const NO_GROUPS = "no pilot separated Flippers from Stable";

/** Why groups cannot be compared: no pilot, or no case in a group (in either, or in the given one). Null: they can. */
export function withoutGroup(groups: Analysed["groups"], only?: StabilityGroup): string | null {
  if (groups.every((group) => group === null)) return NO_GROUPS;
  if (only !== "stable" && !groups.includes("flipper")) return "there are no Flippers";
  if (only !== "flipper" && !groups.includes("stable")) return "there are no Stable cases";
  return null;
}

/**
 * Means of a case value over all cases and over each group, and the ratio of the groups' means, with intervals over cases.
 *
 * Formula: mean over the cases that have the value; ratio = mean of Flippers / mean of Stable; case bootstrap within groups.
 * Range: that of the value; the ratio is ≥ 0, and 1 for equal groups.
 * Undefined when: no case of the group has the value, or there are no groups.
 * Differs from the paper: intervals are added.
 * @see paper §7.2, table 5
 */
export function groupMeans(
  analysed: Analysed,
  bootstrap: CaseBootstrap,
  condition: number,
  value: (cell: CellAnalysis) => number | null,
): { quotient: Statistic; result: () => GroupMeans } {
  const values = caseColumn(analysed, condition, value);
  const { groups } = analysed;
  const maskOf = (holds: (group: Analysed["groups"][number]) => boolean) =>
    Uint8Array.from(groups, (group) => (holds(group) ? 1 : 0));
  const everyone = maskOf(() => true);
  const flippers = maskOf((group) => group === "flipper");
  const stable = maskOf((group) => group === "stable");
  const mean =
    (mask: Uint8Array): Statistic =>
    (weights) =>
      weightedMean(values, weights, mask);
  const [ofFlippers, ofStable] = [mean(flippers), mean(stable)];
  const quotient: Statistic = (weights) => ratio(ofFlippers(weights), ofStable(weights));
  const answers = {
    all: bootstrap.ask(mean(everyone)),
    stable: bootstrap.ask(ofStable),
    flippers: bootstrap.ask(ofFlippers),
    ratio: bootstrap.ask(quotient),
  };
  const known = (mask: Uint8Array) => values.filter((x, i) => mask[i] === 1 && !Number.isNaN(x)).length;
  const result = (): GroupMeans => ({
    all: bootstrapEstimate(answers.all(), known(everyone), "no case has it"),
    stable: bootstrapEstimate(
      answers.stable(),
      known(stable),
      withoutGroup(groups, "stable") ?? "no Stable case has it",
    ),
    flippers: bootstrapEstimate(
      answers.flippers(),
      known(flippers),
      withoutGroup(groups, "flipper") ?? "no Flipper has it",
    ),
    ratio: bootstrapEstimate(
      answers.ratio(),
      known(flippers) + known(stable),
      withoutGroup(groups) ?? "no case of a group has it, or Stable cases have no spread",
    ),
  });
  return { quotient, result };
}

/** Case values that are compared between the groups. */
const GROUP_METRICS = {
  mean_pds: ({ all }: CellAnalysis) => all.pds.mean,
  dominant_share: ({ all }: CellAnalysis) => dominantShare(all),
  sd_pds: ({ all }: CellAnalysis) => all.pds.sd,
  sd_p_defensible: ({ all }: CellAnalysis) => all.pDefensible.sd,
  inverse_yes_prob: ({ all }: CellAnalysis) => all.inverseYesProb.mean,
  level_3_share: ({ all }: CellAnalysis) => thirdShare(all),
} as const;

type GroupMetric = keyof typeof GROUP_METRICS;

/**
 * Whether Flippers and Stable, separated by a pilot, differ on the replicates measured afterwards.
 *
 * Formula: Mann and Whitney's test of the case values of the two groups, Cliff's δ as effect; Holm over all metrics and temperatures.
 * Range: see `mannWhitney`.
 * Undefined when: a group is empty; without a pilot there are no tests.
 * Differs from the paper: the paper prints asterisks for S and the dominant share, without test, effect or correction.
 * @see paper appendix A.2, figure 9
 */
export function groupTests(analysed: Analysed): GroupTest[] {
  const { groups, line, replicates } = analysed;
  if (groups.every((group) => group === null)) return [];
  const tests = line.flatMap((condition) =>
    (Object.keys(GROUP_METRICS) as GroupMetric[]).map((metric): GroupTest => {
      const valuesOf = (name: "flipper" | "stable") =>
        [...groups.keys()]
          .filter((i) => groups[i] === name)
          .map((i) => GROUP_METRICS[metric](cellOf(analysed, i, condition)))
          .filter((value) => value !== null);
      const [flippers, stable] = [valuesOf("flipper"), valuesOf("stable")];
      return {
        metric,
        temperature: replicates.conditions[condition]!.temperature,
        n: { flippers: flippers.length, stable: stable.length },
        median: { flippers: median(flippers), stable: median(stable) },
        ...mannWhitney(flippers, stable),
        adjusted_p: null,
      };
    }),
  );
  const tested = tests.filter(({ p_value }) => p_value !== null);
  const adjusted = holm(tested.map(({ p_value }) => p_value!));
  tested.forEach((test, i) => {
    test.adjusted_p = adjusted[i]!;
  });
  return tests;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
