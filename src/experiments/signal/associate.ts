import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { BinaryAssociation } from "../../core/results/signal-experiment.js";
import { type ClusterMean, meanOver } from "../../measures/metrics/mean.js";
import { binarySpearmanBound } from "../../stats/ranks/binary-spearman-bound.js";
import { clusteredAuroc } from "../../stats/ranks/clustered-auroc.js";
import { clusteredSpearman } from "../../stats/ranks/clustered-spearman.js";
import type { RankCorrelation } from "../../stats/ranks/spearman.js";

/** Rows that have both a value and a partner. */
export interface Paired {
  values: Float64Array;
  partner: Float64Array;
  cluster: Int32Array;
  clusters: number;
}

export interface Clustered {
  community: Int32Array;
  communities: { length: number };
}

/** Keeps the rows whose value is a number and whose partner is asked for. */
export function pairUp(
  values: Float64Array,
  partner: (row: number) => number | null,
  { community, communities }: Clustered,
): Paired {
  const n = values.length;
  const kept: Paired = {
    values: new Float64Array(n),
    partner: new Float64Array(n),
    cluster: new Int32Array(n),
    clusters: communities.length,
  };
  let at = 0;
  for (let i = 0; i < n; i++) {
    const value = values[i]!;
    const other = Number.isFinite(value) ? partner(i) : null;
    if (other === null) continue;
    kept.values[at] = value;
    kept.partner[at] = other;
    kept.cluster[at] = community[i]!;
    at++;
  }
  return {
    values: kept.values.subarray(0, at),
    partner: kept.partner.subarray(0, at),
    cluster: kept.cluster.subarray(0, at),
    clusters: kept.clusters,
  };
}

export function correlate({ values, partner, cluster, clusters }: Paired, empty: string): RankCorrelation {
  if (values.length === 0) return { ...undefinedEstimate(empty, 0), p_value: null };
  return clusteredSpearman(values, partner, cluster, clusters);
}

/** AUROC of the value, turned so that higher is worse, for a partner of 1. */
export function separate({ values, partner, cluster, clusters }: Paired, turned: boolean, empty: string): Estimate {
  if (values.length === 0) return undefinedEstimate(empty, 0);
  return clusteredAuroc(turned ? values.map((value) => -value) : values, partner, cluster, clusters);
}

/** A partner that is yes or no: correlation, the most it could be, and the AUROC, which says the same without a bound. */
export function associateBinary(paired: Paired, turned: boolean, empty: string): BinaryAssociation {
  const n = paired.partner.length;
  let yes = 0;
  for (const one of paired.partner) yes += one;
  return {
    spearman: correlate(paired, empty),
    bound: n > 0 ? binarySpearmanBound(yes / n) : null,
    auroc: separate(paired, turned, empty),
  };
}

/** Mean of the values that a row's partner is `group` of, by communities. */
export function meanWhere(
  { values, partner, cluster, clusters }: Paired,
  group: number,
  most: number,
  empty: string,
): Estimate {
  const means: ClusterMean[] = Array.from({ length: clusters }, (_, c) => ({
    cluster: String(c),
    n: 0,
    mean: 0,
    squaredDeviations: 0,
  }));
  for (let i = 0; i < values.length; i++) {
    if (partner[i] !== group) continue;
    const one = means[cluster[i]!]!;
    one.n++;
    const step = values[i]! - one.mean;
    one.mean += step / one.n;
    one.squaredDeviations += step * (values[i]! - one.mean);
  }
  return meanOver(means, [0, most], empty);
}
