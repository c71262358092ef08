import type { PairedChange } from "../../../core/results/paired-change.js";
import { mcnemar } from "../../../stats/tests/mcnemar.js";
import { AUDITED } from "../judge/counts.js";
import { shareEstimate } from "../rate.js";
import { armPatterns, type Counted, clusterPairs, type Patterns } from "./arm-patterns.js";
import { pairedDifference } from "./paired-difference.js";

export interface ChangeOptions {
  /** What the clusters are. Default community. */
  unit?: "community" | "thread" | "decision";
}

/**
 * What a change of the rules does to an index, on decisions that were audited before and after: the paper's ΔDI and ΔAI.
 *
 * Formula: difference = P(counted in b) − P(counted in a) = (only b − only a)/n over decisions with a verdict in every arm, with Tango's
 * interval and, with several communities (or, within one community, several threads), a t interval over them; McNemar on only a against
 * only b; bounds for decisions without a verdict.
 * Range: difference within [−1, 1].
 * Undefined when: no decision has a verdict in every arm. p-values: where nothing changed.
 * Differs from the paper: the paper subtracts the margins and gives neither interval nor test.
 * @see paper §6, Table "Normative Underspecification"
 * @example
 * pairedChange([{ cluster: 0, kinds: [0, 1], n: 4 }], 0, 1, ({ inverse }) => inverse).difference.estimate // => -1
 */
export function pairedChange(
  patterns: Patterns,
  a: number,
  b: number,
  counted: Counted,
  options: ChangeOptions = {},
): PairedChange {
  const clusters = clusterPairs(patterns, a, b, counted);
  const pooled = { n: 0, both: 0, onlyA: 0, onlyB: 0 };
  for (const one of clusters) {
    pooled.n += one.n;
    pooled.both += one.both;
    pooled.onlyA += one.onlyA;
    pooled.onlyB += one.onlyB;
  }
  const independent = options.unit === "decision";
  const used = independent ? [pooled] : clusters;
  const worst = worstCaseChange(patterns, a, b, counted);
  const bounded = <T extends { estimate: number | null }>(estimate: T, bounds: object | undefined): T =>
    estimate.estimate === null || !bounds ? estimate : { ...estimate, worst_case: bounds };
  const share = (k: (one: typeof pooled) => number) =>
    shareEstimate(
      used.map((one) => ({ k: k(one), n: one.n })),
      "no decision has a verdict in every arm",
    );
  return {
    a: bounded(
      share((one) => one.both + one.onlyA),
      worst?.a,
    ),
    b: bounded(
      share((one) => one.both + one.onlyB),
      worst?.b,
    ),
    only_a: pooled.onlyA,
    only_b: pooled.onlyB,
    difference: bounded(pairedDifference(used, options.unit === "thread" ? "thread" : "community"), worst?.change),
    mcnemar: mcnemar(pooled.onlyA, pooled.onlyB),
  };
}

interface Bounds {
  lower: number;
  upper: number;
}

/**
 * Bounds of a rate and of its change between two arms if every audit without a verdict had gone the worst way: what the pairs that had
 * to be left out could hide.
 *
 * Formula: x_a ∈ {0, 1} where there is a verdict, [0, 1] where there is none; rate: Σx_a / N; change: Σ(x_b − x_a) / N, over all N
 * decisions, each at its least and at its greatest.
 * Range: rates within [0, 1], the change within [−1, 1]; lower = upper where every decision has a verdict in both.
 * Undefined when: there is no decision: null.
 * Differs from the paper: the paper leaves decisions without a verdict out and gives no bounds.
 * @see `rate`, the same for one run
 * @example
 * worstCaseChange([{ cluster: 0, kinds: [0, -1], n: 4 }], 0, 1, () => true).change // => { lower: -1, upper: 0 }
 */
export function worstCaseChange(
  patterns: Patterns,
  a: number,
  b: number,
  counted: Counted,
): { a: Bounds; b: Bounds; change: Bounds } | null {
  const { distinct, totals } = armPatterns(patterns);
  const total = totals.reduce((sum, n) => sum + n, 0);
  if (total === 0) return null;
  const counts = AUDITED.map((verdict) => (counted(verdict) ? 1 : 0));
  const bounds = (arm: number): Bounds => {
    let [lower, upper] = [0, 0];
    distinct.forEach((kinds, i) => {
      const known = counts[kinds[arm]!];
      lower += totals[i]! * (known ?? 0);
      upper += totals[i]! * (known ?? 1);
    });
    return { lower, upper };
  };
  const [first, second] = [bounds(a), bounds(b)];
  const share = ({ lower, upper }: Bounds): Bounds => ({ lower: lower / total, upper: upper / total });
  return {
    a: share(first),
    b: share(second),
    change: share({ lower: second.lower - first.upper, upper: second.upper - first.lower }),
  };
}
