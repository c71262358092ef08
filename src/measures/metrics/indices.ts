import { type ClusterInterval, type DefinedEstimate, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { Level } from "../../core/records/level.js";
import type { ReportTarget } from "../../core/results/report.js";
import { pooledProportion } from "../../stats/intervals/clustered-proportion.js";
import { hasWidth, proportion } from "../../stats/intervals/proportion.js";
import { ALL_CELLS, type CellMask, cellMask, countIn, countRate, type Tally, type TallyScope } from "./tally.js";

interface RateOptions {
  /** Reason given if there is nothing to count. */
  empty: string;
  /** Whether to also bound the rate over all possible answers of rows without a verdict. Only for rates over all verdicts. */
  worstCase?: boolean;
}

/** k of n verdicts, with the Wilson interval and the interval for rows that are correlated within a community. */
export function rate(tallies: readonly Tally[], counted: CellMask, success: CellMask, options: RateOptions): Estimate {
  const clusters = tallies.map((tally) => countRate(tally, counted, success));
  const estimate = shareEstimate(clusters, options.empty);
  if (estimate.estimate === null || !options.worstCase) return estimate;
  const k = estimate.k!;
  const invalid = tallies.reduce((sum, tally) => sum + tally.unscored + tally.errors, 0);
  const attempted = estimate.n + invalid;
  return { ...estimate, worst_case: { lower: k / attempted, upper: (k + invalid) / attempted } };
}

/** A share over communities, with both intervals. */
export function shareEstimate(clusters: readonly { k: number; n: number }[], empty: string): Estimate {
  const k = clusters.reduce((sum, cluster) => sum + cluster.k, 0);
  const n = clusters.reduce((sum, cluster) => sum + cluster.n, 0);
  if (n === 0) return undefinedEstimate(empty, 0);
  const estimate = proportion(k, n);
  const cluster = pooledProportion(clusters);
  return cluster && estimate.estimate !== null ? { ...estimate, cluster } : estimate;
}

/** The paper's target: DI ≥ 0.90. @see paper §3.1, eq. 1 */
export const DEFENSIBILITY_TARGET = 0.9;

export const DEFENSIBLE = cellMask((cell) => cell.level !== 3);

/**
 * Share of decisions that can be derived from the rules: how closely a decider keeps to the written rules.
 *
 * DI = #{ level ∈ {1, 2} } / N, N = verdicts.
 * Range 0 to 1; higher is better. Undefined when there is no verdict.
 * Differs from the paper: nothing; the interval, the clustering and the bounds for rows without a verdict are added.
 * @see paper §3.1, eq. 1
 */
export function defensibilityIndex(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, DEFENSIBLE, { empty: "no verdicts", worstCase: true });
}

/** The paper's target: AI ≤ 0.15. @see paper §3.1, eq. 2 */
export const AMBIGUITY_TARGET = 0.15;

export const INVERSE_YES = cellMask((cell) => cell.inverse);

/**
 * Share of decisions whose opposite is also derivable, by the auditor's inverse check.
 *
 * AI = #{ inverse_check = Yes } / N, N = verdicts.
 * Range 0 to 1; lower is better. Undefined when there is no verdict.
 * Differs from the paper: nothing. It mixes two things: `pureAmbiguity` and `contradiction`, which sum to it.
 * @see paper §3.1, eq. 2
 */
export function ambiguityIndex(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, INVERSE_YES, { empty: "no verdicts", worstCase: true });
}

const BOTH_DEFENSIBLE = cellMask((cell) => cell.inverse && cell.level !== 3);

/**
 * Share of decisions that are defensible while their opposite is too: the rules really leave the case open.
 *
 * AI_pure = #{ level ∈ {1, 2} and inverse = Yes } / N.
 * Range 0 to 1; lower means clearer rules. Undefined when there is no verdict.
 * Differs from the paper: the paper has no such split. Its AI also counts indefensible decisions, whose opposite is usually the only right one and
 * not a sign of ambiguity.
 * @see paper §3.1
 */
export function pureAmbiguity(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, BOTH_DEFENSIBLE, { empty: "no verdicts", worstCase: true });
}

const ONLY_OPPOSITE = cellMask((cell) => cell.inverse && cell.level === 3);

/**
 * Share of decisions that are indefensible while their opposite is defensible: the part of AI that is error rather than ambiguity.
 *
 * AI_contra = #{ level = 3 and inverse = Yes } / N = AI − AI_pure.
 * Range 0 to 1; lower is better. Undefined when there is no verdict.
 * Differs from the paper: the paper has no such split.
 * @see paper §3.1
 */
export function contradiction(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, ONLY_OPPOSITE, { empty: "no verdicts", worstCase: true });
}

const KNOWN = cellMask((cell) => cell.scope !== "unknown");

const IN_SCOPE = {
  platform: cellMask((cell) => cell.inverse && cell.scope === "platform"),
  community: cellMask((cell) => cell.inverse && cell.scope === "community"),
  mixed: cellMask((cell) => cell.inverse && cell.scope === "mixed"),
  // If other citations were recorded, one that was not recorded matched nothing.
  none: cellMask((cell) => cell.inverse && (cell.scope === "none" || cell.scope === "unknown")),
};

/**
 * The part of AI that falls under rules of one scope: which text to rewrite.
 *
 * AI_G = #{ inverse = Yes, cited rule in R_G } / N; AI_C with R_C or a precedent; `mixed` cites both; `none` matches no rule. The four sum to AI.
 * Range 0 to 1. Undefined when there is no verdict, or no audit says what it cited.
 * Differs from the paper: the paper names AI_G and AI_C without a rule of attribution. This one is observational: it shows what the ambiguous
 * decisions cite, not which would become clear if that text changed.
 * @see paper §3.1
 */
export function scopedAmbiguity(tallies: readonly Tally[], scope: Exclude<TallyScope, "unknown">): Estimate {
  const known = tallies.reduce((sum, tally) => sum + countIn(tally, KNOWN), 0);
  const all = tallies.reduce((sum, tally) => sum + countIn(tally, ALL_CELLS), 0);
  if (all > 0 && known === 0) return undefinedEstimate("no audit says which rule it cites", all);
  return rate(tallies, ALL_CELLS, IN_SCOPE[scope], { empty: "no verdicts" });
}

const AT_LEVEL = {
  1: cellMask((cell) => cell.level === 1),
  2: cellMask((cell) => cell.level === 2),
  3: cellMask((cell) => cell.level === 3),
};

/**
 * Share of verdicts at one defensibility level.
 *
 * #{ level = l } / N. Range 0 to 1. Undefined when there is no verdict. Differs from the paper: nothing.
 * @see paper §3.1
 */
export function levelShare(tallies: readonly Tally[], level: Level): Estimate {
  return rate(tallies, ALL_CELLS, AT_LEVEL[level], { empty: "no verdicts", worstCase: true });
}

/**
 * With fewer clusters than this their variation is hardly known, and an interval that generalises to other clusters is useless: with two it covers
 * nearly everything. The communities are then treated as fixed, and intervals are about these communities only.
 */
export const FEW_CLUSTERS = 5;

/** The interval with communities as clusters, if it is informative: there are enough communities, and they are not all alike. */
export function clusterToShow(estimate: Estimate): ClusterInterval | null {
  const cluster = estimate.estimate === null ? undefined : estimate.cluster;
  return cluster && cluster.clusters >= FEW_CLUSTERS && hasWidth(cluster) ? cluster : null;
}

/** Number of communities that an estimate treats as fixed because they are few; null if there are enough, or they were not counted. */
export function fewClusters(estimate: Estimate): number | null {
  const clusters = estimate.estimate === null ? undefined : estimate.cluster?.clusters;
  return clusters !== undefined && clusters < FEW_CLUSTERS ? clusters : null;
}

/**
 * The interval to show and to judge by: the wider of the one for independent rows and, with enough communities, the one for rows correlated within
 * a community, which can be too narrow by chance.
 */
export function judgedInterval(estimate: DefinedEstimate): "cluster" | "independent" {
  const cluster = clusterToShow(estimate);
  return cluster && cluster.upper - cluster.lower > estimate.upper - estimate.lower ? "cluster" : "independent";
}

/** Slack for ratios of counts: 27/30 must meet 0.90. */
const SLACK = 1e-9;

/**
 * Whether an index meets its target, judged by its interval rather than the point estimate; `undecided` if the target is inside it. The interval is
 * the one shown: with enough communities the wider of both, since decisions of one community are correlated.
 */
export function targetStatus(estimate: Estimate, target: number, direction: ReportTarget["direction"]): ReportTarget {
  if (estimate.estimate === null) return { target, direction, status: "undefined", interval: "none" };
  const interval = judgedInterval(estimate);
  const { lower, upper } = interval === "cluster" ? estimate.cluster! : estimate;
  const met = direction === "at_least" ? lower >= target - SLACK : upper <= target + SLACK;
  const missed = direction === "at_least" ? upper < target - SLACK : lower > target + SLACK;
  return { target, direction, status: met ? "met" : missed ? "not_met" : "undecided", interval };
}
