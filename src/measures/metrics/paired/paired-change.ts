import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import type { PairedChange } from "../../../core/results/compare.js";
import { jackknifeOfSums } from "../../../stats/intervals/cluster-jackknife.js";
import { tangoInterval } from "../../../stats/intervals/two-proportions.js";
import { mcnemar } from "../../../stats/tests/two-proportion-test.js";
import { shareEstimate } from "../indices.js";
import { AUDITED, AUDITED_CELLS, type AuditedCell } from "../judge/counts.js";
import { armPatterns, type Counted, clusterPairs, type Patterns } from "./arm-patterns.js";

/** Number of kinds of pairs: A's verdict (level, inverse) by B's verdict. */
export const PAIR_CELLS = AUDITED_CELLS * AUDITED_CELLS;

/** Decisions of one community with a verdict in both of two runs. */
export interface PairedCommunity {
  community: string;
  /** Count at `pairIndex`. */
  cells: Float64Array;
}

export function emptyPairs(community: string): PairedCommunity {
  return { community, cells: new Float64Array(PAIR_CELLS) };
}

/** Index of a pair: A's cell · 6 + B's cell, cells as in `auditedIndex`. */
export function pairIndex(a: number, b: number): number {
  return a * AUDITED_CELLS + b;
}

/** Number of pairs whose two verdicts meet a condition. */
export function countPairs(pairs: PairedCommunity, holds: (a: AuditedCell, b: AuditedCell) => boolean): number {
  let count = 0;
  AUDITED.forEach((a, i) => {
    AUDITED.forEach((b, j) => {
      if (holds(a, b)) count += pairs.cells[pairIndex(i, j)]!;
    });
  });
  return count;
}

/** Merges the entries of each community into one. */
export function mergePairs(parts: readonly PairedCommunity[]): PairedCommunity[] {
  const merged = new Map<string, PairedCommunity>();
  for (const { community, cells } of parts) {
    const sum = merged.get(community) ?? emptyPairs(community);
    cells.forEach((count, i) => {
      sum.cells[i]! += count;
    });
    merged.set(community, sum);
  }
  return [...merged.values()];
}

export interface ChangeOptions {
  /** The unit of clustering. Default community. */
  unit?: "community" | "thread" | "decision";
}

/**
 * The effect of a rule change on an index, over decisions that were audited before and after: the paper's ΔDI and ΔAI.
 *
 * Formula: difference = P(counted in b) − P(counted in a) = (only b − only a)/n over decisions with a verdict in every arm, with Tango's interval
 * and, with several communities (or, within one community, several threads), a t interval over them; McNemar on only a against only b; bounds for
 * decisions without a verdict.
 * Range: difference within [−1, 1].
 * Undefined when: no decision has a verdict in every arm. p-values: if nothing changed.
 * Differs from the paper: the paper subtracts the marginal rates and gives neither interval nor test.
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
 * Bounds of a rate and of its change between two arms if every audit without a verdict had gone the worst way: the possible effect of the pairs
 * that had to be left out.
 *
 * Formula: x_a ∈ {0, 1} where there is a verdict, otherwise in [0, 1]; rate: Σx_a / N; change: Σ(x_b − x_a) / N, over all N decisions, each at its
 * minimum and at its maximum.
 * Range: rates within [0, 1], the change within [−1, 1]; lower = upper where every decision has a verdict in both. An estimate over the pairs may
 * be outside, because the bounds also use the verdicts of decisions that only one arm has.
 * Undefined when: there is no decision: null.
 * Differs from the paper: the paper excludes decisions without a verdict and gives no bounds.
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

/** Decisions of a cluster (a community, a thread) by whether an index counts them in A only, in B only, in both or in neither. */
export interface PairedCounts {
  n: number;
  both: number;
  onlyA: number;
  onlyB: number;
}

/** Why there is no interval over clusters although there are several. */
export function allAlikeWarning(unit: "community" | "thread" = "community"): string {
  const units = unit === "community" ? "communities" : "threads";
  return `no interval over ${units}: the value is the same in every ${unit}, so their spread says nothing of chance`;
}

/**
 * Difference B − A of a rate measured twice on the same decisions.
 *
 * Formula: (only B − only A)/n with Tango's interval; `cluster`: a t interval over communities or threads that leaves out one at a time, θ_(−c) − d
 * = −s_c/(1 − n_c/n), s_c = (only B_c − only A_c − d n_c)/n.
 * Range: within [−1, 1].
 * Undefined when: n = 0. If the difference is the same in every cluster, the variance between them is 0 and uninformative: no `cluster`, with a
 * warning.
 * Differs from the paper: the paper only compares the marginal rates of paired conditions, without intervals.
 * @see `tangoInterval`, `clusterJackknife`
 * @example
 * pairedDifference([{ n: 21, both: 3, onlyA: 7, onlyB: 1 }]).upper // => -0.0260
 */
export function pairedDifference(
  clusters: readonly PairedCounts[],
  unit: "community" | "thread" = "community",
): Estimate {
  const used = clusters.filter((one) => one.n > 0);
  const total = (count: (one: PairedCounts) => number) => used.reduce((sum, one) => sum + count(one), 0);
  const n = total((one) => one.n);
  if (n === 0) return undefinedEstimate("no decision has a verdict in both", 0);
  const onlyA = total((one) => one.onlyA);
  const onlyB = total((one) => one.onlyB);
  const estimate = (onlyB - onlyA) / n;
  const { lower, upper } = tangoInterval(onlyB, onlyA, n);
  const own = { estimate, lower, upper, level: CONFIDENCE_LEVEL, method: "Tango", n };
  if (used.length > 1 && allAlike(used)) return { ...own, warnings: [allAlikeWarning(unit)] };
  const sums = used.map((one) => (one.onlyB - one.onlyA - estimate * one.n) / n);
  const sizes = used.map((one) => one.n);
  const cluster = jackknifeOfSums(estimate, sums, sizes, CONFIDENCE_LEVEL, [-1, 1]);
  return { ...own, ...(cluster ? { cluster } : {}) };
}

/** Whether every cluster changed by the same share of its decisions. Compared as integers, so rounding cannot hide a difference. */
export function allAlike(clusters: readonly PairedCounts[]): boolean {
  const first = clusters.find((one) => one.n > 0);
  return clusters.every(
    (one) => first !== undefined && (one.onlyB - one.onlyA) * first.n === (first.onlyB - first.onlyA) * one.n,
  );
}
