import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import { jackknifeOfSums } from "../../../stats/intervals/cluster-jackknife.js";
import { tangoInterval } from "../../../stats/intervals/tango-interval.js";

/** Decisions of a cluster (a community, a thread) by whether an index counts them in A, in B, in both, in none. */
export interface PairedCounts {
  n: number;
  both: number;
  onlyA: number;
  onlyB: number;
}

/** Why there is no interval over clusters although there are several. */
export function allAlikeWarning(unit: "community" | "thread" = "community"): string {
  const units = unit === "community" ? "communities" : "threads";
  return `no interval over ${units}: the difference is the same in every ${unit}, so their spread says nothing of chance`;
}

/**
 * Difference B − A of a rate that was measured twice on the same decisions.
 *
 * Formula: (only B − only A)/n with Tango's interval; `cluster`: a t interval over communities or threads that leaves out one at a
 * time, θ_(−c) − d = −s_c/(1 − n_c/n), s_c = (only B_c − only A_c − d n_c)/n.
 * Range: within [−1, 1].
 * Undefined when: n = 0. Where the difference is the same in every cluster their spread is 0 and says nothing: no `cluster`, with a
 * warning.
 * Differs from the paper: the paper compares paired conditions by their margins only, without intervals.
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

/** Whether every cluster changed by the same share of its decisions. In whole numbers, where no rounding hides it. */
export function allAlike(clusters: readonly PairedCounts[]): boolean {
  const first = clusters.find((one) => one.n > 0);
  return clusters.every(
    (one) => first !== undefined && (one.onlyB - one.onlyA) * first.n === (first.onlyB - first.onlyA) * one.n,
  );
}
