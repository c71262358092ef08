import type { Estimate } from "../../core/estimate.js";
import { holm } from "../../stats/tests/holm.js";
import { type MannWhitney, mannWhitney } from "../../stats/tests/mann-whitney.js";
import { type Analysed, type CellAnalysis, cellOf } from "./analyse-cells.js";
import { dominantShare, thirdShare } from "./cell-stats.js";

/** Case values in which the groups may differ. */
const GROUP_METRICS = {
  mean_pds: ({ all }: CellAnalysis) => all.pds.mean,
  dominant_share: ({ all }: CellAnalysis) => dominantShare(all),
  sd_pds: ({ all }: CellAnalysis) => all.pds.sd,
  sd_p_defensible: ({ all }: CellAnalysis) => all.pDefensible.sd,
  inverse_yes_prob: ({ all }: CellAnalysis) => all.inverseYesProb.mean,
  level_3_share: ({ all }: CellAnalysis) => thirdShare(all),
} as const;

export type GroupMetric = keyof typeof GROUP_METRICS;

export interface GroupTest {
  metric: GroupMetric;
  temperature: number | null;
  n: { flippers: number; stable: number };
  median: { flippers: number | null; stable: number | null };
  u: number | null;
  p_value: number | null;
  p_method: MannWhitney["p_method"];
  /** After Holm's correction for all tests of the table. */
  adjusted_p: number | null;
  /** Cliff's δ: above 0 where Flippers have the larger values. */
  effect: Estimate;
}

/**
 * Whether Flippers and Stable, told apart on a pilot, differ on the replicates measured afterwards.
 *
 * Formula: Mann and Whitney's test of the case values of the two groups, Cliff's δ as effect; Holm over all metrics and
 * temperatures.
 * Range: see `mannWhitney`.
 * Undefined when: a group is empty; without a pilot there are no tests.
 * Differs from the paper: it prints asterisks for S and the dominant share, without test, effect or correction.
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
