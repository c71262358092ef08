import type { ClusterInterval, DefinedEstimate, Estimate } from "../../core/estimate.js";
import { hasWidth } from "../../stats/intervals/interval.js";

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
