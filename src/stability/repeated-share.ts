import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../domain/estimate.js";
import { clopperPearsonInterval } from "../stats/clopper-pearson-interval.js";
import { clusteredProportion } from "../stats/clustered-proportion.js";
import { normalQuantile } from "../stats/normal-quantile.js";
import { studentTQuantile } from "../stats/student-t-quantile.js";

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
 * Formula: p = Σk / Σn; `clusteredProportion` with things as clusters. Where all things have the same share that says nothing of how they
 * vary: Clopper–Pearson with G (z/t_{G−1})² trials, G things. `cluster`: the same with communities, where it is wider than over things,
 * else that over things.
 * Range: within [0, 1], encloses p; k and n of the result count repetitions.
 * Undefined when: nothing was repeated, or there is one thing only.
 * Differs from the paper: the paper takes repetitions as independent.
 * @see `clusteredProportion`
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
    const own = { ...sameShare(k / n, things.length, things.length), method: "Clopper-Pearson over decisions" };
    if (communities.length < 2) return { ...estimate, ...own };
    const cluster = { ...sameShare(k / n, things.length, communities.length), method: "Korn-Graubard" };
    return { ...estimate, ...own, cluster: { ...cluster, clusters: communities.length, design_effect: null } };
  }
  const { lower, upper, method } = clusteredProportion(things)!;
  const own = { ...estimate, lower, upper, method: `${method} over decisions` };
  const cluster = clusteredProportion(communities);
  if (!cluster) return own;
  // With few communities, or such as happen to be alike, theirs can come out narrower by chance.
  const wider = cluster.upper - cluster.lower > upper - lower;
  return { ...own, cluster: wider ? cluster : { ...cluster, lower, upper, method: own.method } };
}

/** Things that are all alike: each counts once, whatever its repetitions. */
function sameShare(p: number, things: number, clusters: number): { lower: number; upper: number } {
  const tail = (1 + CONFIDENCE_LEVEL) / 2;
  const trials = things * (normalQuantile(tail) / studentTQuantile(tail, clusters - 1)) ** 2;
  return clopperPearsonInterval(p * trials, trials);
}

function byCommunity(things: readonly RepeatedCount[]): { k: number; n: number }[] {
  const communities = new Map<string, { k: number; n: number }>();
  for (const { community, k, n } of things) {
    const own = communities.get(community) ?? { k: 0, n: 0 };
    communities.set(community, { k: own.k + k, n: own.n + n });
  }
  return [...communities.values()];
}
