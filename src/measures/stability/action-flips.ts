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
  /** Mean over decisions of the chance that two proposals differ. Without `cluster` where it is the same for all. */
  flip_rate: Estimate;
  /** Share of proposals that are not the decision's commonest action; its interval is over decisions, `k` and `n` count proposals. */
  off_dominant: Estimate;
  /** Share of decisions that were proposed both ways. */
  flipped: Estimate;
}

/**
 * How often a decider that is asked again decides otherwise. An audit cannot show that: it is given the action.
 *
 * Formula: over decisions d with K_d ≥ 2 proposals, k_da of them action a: flip rate = mean of 1 − Σ_a k_da (k_da − 1) / (K_d (K_d − 1));
 * off dominant = Σ (K_d − max_a k_da) / Σ K_d; flipped = share of d with max_a k_da < K_d. Decisions are the unit of every interval:
 * proposals for the same content are no independent rows.
 * Range: [0, 1]; 0: the same action every time. Off dominant is at most ½ for two actions, and rises towards its limit with K; flipped rises with K.
 * Undefined when: no decision was proposed twice. Decisions with one proposal are left out.
 * Differs from the paper: the paper counts no flips in 100,000 replicates of an audit, whose action is fixed beforehand.
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
 * Communities that are all alike say nothing of how much communities vary, and 0 to 0% would look like certainty: then the interval over
 * decisions, and none where those are alike too.
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

/** k of the n repetitions of one thing. */
export interface RepeatedCount {
  community: string;
  k: number;
  n: number;
}

/**
 * A share of repetitions, some of each of several things (proposals of decisions): repetitions of the same thing are alike, so that the
 * things are the unit, and their number decides how wide the interval is.
 *
 * Formula: p = Σk / Σn; `pooledProportion` with things as clusters. Where all things have the same share that says nothing of how they
 * vary: Clopper–Pearson with G (z/t_ν)² trials, G things, ν as `pooledProportion`. `cluster`: the same with communities, where it is wider than over things,
 * else that over things.
 * Range: within [0, 1], encloses p; k and n of the result count repetitions.
 * Undefined when: nothing was repeated, or there is one thing only.
 * Differs from the paper: the paper takes repetitions as independent.
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
  // With few communities, or such as happen to be alike, theirs can come out narrower by chance.
  const wider = cluster.upper - cluster.lower > upper - lower;
  return { ...own, cluster: wider ? cluster : { ...cluster, lower, upper, method: own.method } };
}

/** Things that are all alike: each counts once, whatever its repetitions. */
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
