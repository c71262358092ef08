import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { normalQuantile } from "../../stats/distributions/normal-quantile.js";
import { studentTQuantile } from "../../stats/distributions/student-t-quantile.js";
import { clopperPearsonInterval } from "../../stats/intervals/clopper-pearson-interval.js";
import { effectiveClusters } from "../../stats/intervals/cluster-jackknife.js";
import { pooledProportion } from "../../stats/intervals/pooled-proportion.js";

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
