import type { ClusterInterval, DefinedEstimate, Estimate } from "../../core/estimate.js";
import type { ReportTarget } from "../../core/results/report.js";
import { hasWidth } from "../../stats/intervals/proportion.js";

/**
 * With fewer clusters their spread is hardly known, and an interval for any others like them is as good as none: of two it covers nearly
 * everything. Communities are then taken as they are, and intervals speak of these communities and of no others.
 */
export const FEW_CLUSTERS = 5;

/** The interval with communities as clusters, where it can say something: of enough communities, and not of such as are all alike. */
export function clusterToShow(estimate: Estimate): ClusterInterval | null {
  const cluster = estimate.estimate === null ? undefined : estimate.cluster;
  return cluster && cluster.clusters >= FEW_CLUSTERS && hasWidth(cluster) ? cluster : null;
}

/** How many communities an estimate takes as they are, because they are few; null where they are enough, or not counted. */
export function fewClusters(estimate: Estimate): number | null {
  const clusters = estimate.estimate === null ? undefined : estimate.cluster?.clusters;
  return clusters !== undefined && clusters < FEW_CLUSTERS ? clusters : null;
}

/**
 * The interval to show and to judge by: the wider of that for independent rows and, with enough communities, that for rows that depend on
 * each other within a community, which can come out too narrow by chance.
 */
export function judgedInterval(estimate: DefinedEstimate): "cluster" | "independent" {
  const cluster = clusterToShow(estimate);
  return cluster && cluster.upper - cluster.lower > estimate.upper - estimate.lower ? "cluster" : "independent";
}

/** Rates are ratios of counts: 27/30 must meet 0.90. */
const SLACK = 1e-9;

/**
 * Whether an index meets its target, judged by its interval and not by the point: `undecided` when the target lies inside it.
 * It is the interval that is shown: with enough communities the wider of both, since decisions of one community resemble each other.
 */
export function targetStatus(estimate: Estimate, target: number, direction: ReportTarget["direction"]): ReportTarget {
  if (estimate.estimate === null) return { target, direction, status: "undefined", interval: "none" };
  const interval = judgedInterval(estimate);
  const { lower, upper } = interval === "cluster" ? estimate.cluster! : estimate;
  const met = direction === "at_least" ? lower >= target - SLACK : upper <= target + SLACK;
  const missed = direction === "at_least" ? upper < target - SLACK : lower > target + SLACK;
  return { target, direction, status: met ? "met" : missed ? "not_met" : "undecided", interval };
}
