import type { SignalColumns } from "../../analysis/signal-columns.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { type ClusterMean, meanOver } from "../../measures/metrics/gap.js";
import { clusteredAuroc } from "../../stats/ranks/clustered-auroc.js";
import { clusteredSpearman } from "../../stats/ranks/clustered-spearman.js";
import { binarySpearmanBound, type RankCorrelation } from "../../stats/ranks/spearman.js";
import type { BinaryAssociation, SignalName } from "./result.js";

/** A measured quantity and its place in the columns. */
export interface Signal {
  name: SignalName;
  label: string;
  higherMeans: "defensible" | "indefensible";
  values: (columns: MeasuredColumns) => Float64Array;
  /** Highest value; for entropies it has no meaning. */
  most: number;
}

export interface MeasuredColumns extends SignalColumns {
  /** exp(λ): the probability of the most probable level, called output confidence. */
  outputConfidence: Float64Array;
  /** The decider's stated certainty; NaN: it stated none. */
  deciderConfidence: Float64Array;
}

export function measuredColumns(columns: SignalColumns, deciderConfidence: Float64Array | null): MeasuredColumns {
  return {
    ...columns,
    outputConfidence: columns.lambdaNats.map(Math.exp),
    deciderConfidence: deciderConfidence ?? new Float64Array(columns.n).fill(Number.NaN),
  };
}

export const SIGNALS: readonly Signal[] = [
  { name: "pds", label: "S (PDS)", higherMeans: "defensible", values: (c) => c.pds, most: 1 },
  { name: "p_defensible", label: "P(defensible)", higherMeans: "defensible", values: (c) => c.pDefensible, most: 1 },
  { name: "inverse_yes_prob", label: "σ(ρ)", higherMeans: "indefensible", values: (c) => c.inverseYesProb, most: 1 },
  {
    name: "h_weight_bits",
    label: "H[w] (bits)",
    higherMeans: "indefensible",
    values: (c) => c.weightBits,
    most: Number.MAX_VALUE,
  },
  {
    name: "h_citation_bits",
    label: "H[κ] (bits)",
    higherMeans: "indefensible",
    values: (c) => c.citationBits,
    most: Number.MAX_VALUE,
  },
  {
    name: "output_confidence",
    label: "output confidence",
    higherMeans: "defensible",
    values: (c) => c.outputConfidence,
    most: 1,
  },
  {
    name: "p_calibrated",
    label: "calibrated P",
    higherMeans: "defensible",
    values: (c) => c.pCalibrated,
    most: 1,
  },
  {
    name: "decider_confidence",
    label: "decider confidence",
    higherMeans: "defensible",
    values: (c) => c.deciderConfidence,
    most: 1,
  },
];

/** Rows that have both a value and a partner. */
interface Paired {
  values: Float64Array;
  partner: Float64Array;
  cluster: Int32Array;
  clusters: number;
}

interface Clustered {
  community: Int32Array;
  communities: { length: number };
}

/** Keeps the rows whose value is a number and whose partner is not null. */
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

/** AUROC of the value for a partner of 1, oriented so that higher means worse. */
export function separate({ values, partner, cluster, clusters }: Paired, turned: boolean, empty: string): Estimate {
  if (values.length === 0) return undefinedEstimate(empty, 0);
  return clusteredAuroc(turned ? values.map((value) => -value) : values, partner, cluster, clusters);
}

/** A binary partner: the correlation, its upper bound, and the AUROC, which measures the same without that bound. */
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

/** Mean of the values of rows whose partner is `group`, by communities. */
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
