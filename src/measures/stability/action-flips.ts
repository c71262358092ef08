import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { studentTQuantile } from "../../stats/distributions/incomplete-beta.js";
import { normalQuantile } from "../../stats/distributions/normal.js";
import { effectiveClusters } from "../../stats/intervals/cluster-jackknife.js";
import { pooledProportion } from "../../stats/intervals/clustered-proportion.js";
import { clopperPearsonInterval } from "../../stats/intervals/proportion.js";
import { type ClusterMean, meanOver } from "../metrics/gap.js";
import { shareEstimate } from "../metrics/indices.js";
import { flipRate } from "./cell-stats.js";

/** How often each action was proposed for one decision. */
export interface ProposedActions {
  community: string;
  counts: readonly number[];
}

export interface ActionFlips {
  /** Decisions that were proposed at least twice. */
  n: number;
  /** Mean over decisions of the probability that two proposals differ. Without `cluster` if it is the same for all. */
  flip_rate: Estimate;
  /** Share of proposals that are not the decision's most frequent action. Its interval is over decisions; `k` and `n` count proposals. */
  off_dominant: Estimate;
  /** Share of decisions for which more than one action was proposed. */
  flipped: Estimate;
}

/**
 * How often a decider that is asked again decides differently. An audit cannot show this, because the action is given to it.
 *
 * Formula: over decisions d with K_d ≥ 2 proposals, k_da of them action a: flip rate = mean of 1 − Σ_a k_da (k_da − 1) / (K_d (K_d − 1)); off
 * dominant = Σ (K_d − max_a k_da) / Σ K_d; flipped = share of d with max_a k_da < K_d. Decisions are the unit of every interval, since proposals
 * for the same content are not independent.
 * Range: [0, 1]; 0: the same action every time. Off dominant is at most ½ for two actions, and rises towards its limit with K; flipped rises with
 * K.
 * Undefined when: no decision was proposed twice. Decisions with one proposal are left out.
 * Differs from the paper: the paper finds no flips in 100,000 replicates of an audit, whose action is fixed beforehand.
 * @see paper §7
 * @example
 * actionFlips([{ community: "a", counts: [3, 1] }, { community: "b", counts: [4, 0] }]).flip_rate.estimate // => 0.25
 */
export function actionFlips(decisions: readonly ProposedActions[]): ActionFlips {
  const communities = new Map<string, { rates: number[]; flipped: number }>();
  const repeated: { community: string; k: number; n: number }[] = [];
  for (const { community, counts } of decisions) {
    const rate = flipRate(counts);
    if (rate === null) continue;
    const own = communities.get(community) ?? { rates: [], flipped: 0 };
    communities.set(community, own);
    const all = counts.reduce((sum, count) => sum + count, 0);
    const others = all - Math.max(...counts);
    own.rates.push(rate);
    repeated.push({ community, k: others, n: all });
    if (others > 0) own.flipped++;
  }
  const all = [...communities.values()];
  const n = all.reduce((sum, { rates }) => sum + rates.length, 0);
  const none = "no decision was proposed twice";
  return {
    n,
    flip_rate:
      n === 0
        ? undefinedEstimate(none)
        : withoutEmptyWidth(
            meanOver(
              [...communities].map(([cluster, { rates }]) => clusterMean(cluster, rates)),
              [0, 1],
              none,
            ),
          ),
    off_dominant: repeatedShare(repeated, none),
    flipped: shareEstimate(
      all.map(({ flipped, rates }) => ({ k: flipped, n: rates.length })),
      none,
    ),
  };
}

/**
 * Communities that are all alike show nothing about the variation between communities, and an interval from 0 to 0% would look like certainty. Then
 * the interval over decisions is used, and none if those are alike too.
 */
function withoutEmptyWidth(estimate: Estimate): Estimate {
  if (estimate.estimate === null || !estimate.cluster) return estimate;
  const { cluster, ...rest } = estimate;
  if (cluster.upper - cluster.lower > 1e-12) return estimate;
  const { lower, upper, method } = rest;
  return upper - lower > 1e-12 ? { ...rest, cluster: { ...cluster, lower, upper, method } } : rest;
}

function clusterMean(cluster: string, values: readonly number[]): ClusterMean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squaredDeviations = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { cluster, n: values.length, mean, squaredDeviations };
}

/** k of the n repetitions of one unit. */
export interface RepeatedCount {
  community: string;
  k: number;
  n: number;
}

/**
 * A share of repetitions when several units are each repeated (such as proposals for decisions). Repetitions of the same unit are correlated, so
 * the number of units determines the width of the interval.
 *
 * Formula: p = Σk / Σn; `pooledProportion` with units as clusters. If all units have the same share, their variance is uninformative:
 * Clopper–Pearson with G (z/t_ν)² trials, G units, ν as in `pooledProportion`. `cluster`: the same with communities if that is wider than over
 * units, otherwise the one over units.
 * Range: within [0, 1], encloses p; k and n of the result count repetitions.
 * Undefined when: nothing was repeated, or there is only one unit.
 * Differs from the paper: the paper treats repetitions as independent.
 * @see `pooledProportion`
 * @example
 * repeatedShare([{ community: "a", k: 1, n: 4 }, { community: "a", k: 0, n: 4 }], "none").estimate // => 0.125
 */
export function repeatedShare(things: readonly RepeatedCount[], empty: string): Estimate {
  if (things.length === 0) return undefinedEstimate(empty, 0);
  const k = things.reduce((sum, thing) => sum + thing.k, 0);
  const n = things.reduce((sum, thing) => sum + thing.n, 0);
  if (things.length === 1) return undefinedEstimate("one decision has no interval", n);
  const estimate = { estimate: k / n, level: CONFIDENCE_LEVEL, k, n };
  const communities = byCommunity(things);
  if (things.every((thing) => thing.k * n === k * thing.n)) {
    const own = { ...sameShare(k / n, things.length, effective(things)), method: "Clopper-Pearson over decisions" };
    if (communities.length < 2) return { ...estimate, ...own };
    const effective_clusters = effective(communities);
    const bounds = sameShare(k / n, things.length, effective_clusters);
    const counts = { clusters: communities.length, effective_clusters, design_effect: null };
    return { ...estimate, ...own, cluster: { ...bounds, method: "Clopper-Pearson, clusters", ...counts } };
  }
  const { lower, upper, method } = pooledProportion(things)!;
  const own = { ...estimate, lower, upper, method: `${method} over decisions` };
  const cluster = pooledProportion(communities);
  if (!cluster) return own;
  // With few communities, or communities that happen to be alike, their interval can be narrower by chance.
  const wider = cluster.upper - cluster.lower > upper - lower;
  return { ...own, cluster: wider ? cluster : { ...cluster, lower, upper, method: own.method } };
}

/** Interval for units that are all alike: each counts once, however often it was repeated. */
function sameShare(p: number, things: number, clusters: number): { lower: number; upper: number } {
  const tail = (1 + CONFIDENCE_LEVEL) / 2;
  const trials = things * (normalQuantile(tail) / studentTQuantile(tail, Math.max(1, clusters - 1))) ** 2;
  return clopperPearsonInterval(p * trials, trials);
}

function effective(clusters: readonly { n: number }[]): number {
  return effectiveClusters(clusters.map(({ n }) => n))!;
}

function byCommunity(things: readonly RepeatedCount[]): { k: number; n: number }[] {
  const communities = new Map<string, { k: number; n: number }>();
  for (const { community, k, n } of things) {
    const own = communities.get(community) ?? { k: 0, n: 0 };
    communities.set(community, { k: own.k + k, n: own.n + n });
  }
  return [...communities.values()];
}
