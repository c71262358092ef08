import { type ClusterInterval, CONFIDENCE_LEVEL, type Estimate } from "../../core/estimate.js";
import { spreadOfSums } from "../intervals/cluster-jackknife.js";
import { aurocOfSorted } from "./auroc.js";
import { sortedOrder } from "./sorted-order.js";

/**
 * Area under the ROC curve of rows that come in clusters (communities): `auroc` of columns, with the interval for dependent rows next to
 * DeLong's.
 *
 * Formula: A as `auroc`. A positive row adds (V10 − A)/m, a negative one (V01 − A)/n, V the shares of the other class that it is placed
 * rightly to; s_c = their sum in cluster c; V = Σ(s_c/(1 − a_c))², a_c its share of the rows; logit A ± t_ν √V / (A(1−A)), mapped back, ν
 * as `clusterJackknife`.
 * Range: [0, 1]; ½ is no separation. Design effect: V over the sum of squares of the single rows.
 * Undefined when: a class is empty. No `cluster` with fewer than two clusters, A of 0 or 1, or V = 0. RangeError when a score is NaN.
 * Differs from the paper: the paper gives no AUROC; it prints rank correlations with a yes-or-no partner instead.
 * @see Obuchowski (1997), Biometrics 53:567-578
 * @example
 * clusteredAuroc(new Float64Array([0.9, 0.8, 0.8, 0.4, 0.1, 0.8, 0.3]), [1, 1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 0, 1, 1], 2).estimate // => 0.8333333333333334
 */
export function clusteredAuroc(
  scores: Float64Array,
  positive: ArrayLike<number>,
  cluster: ArrayLike<number>,
  clusters: number,
  level = CONFIDENCE_LEVEL,
): Estimate {
  const n = scores.length;
  const order = sortedOrder(scores);
  const sorted = new Float64Array(n);
  const targets = new Uint8Array(n);
  for (let i = 0; i < n; i += 1) {
    sorted[i] = scores[order[i]!]!;
    targets[i] = positive[order[i]!]!;
  }
  const estimate = aurocOfSorted(sorted, targets, level);
  if (estimate.estimate === null || estimate.estimate === 0 || estimate.estimate === 1) return estimate;
  const sums = clusterSums(sorted, targets, order, cluster, clusters, estimate.estimate);
  const interval = clusterInterval(estimate.estimate, sums, level);
  return interval ? { ...estimate, cluster: interval } : estimate;
}

interface Sums {
  byCluster: Float64Array;
  sizes: Float64Array;
  /** Σ of the squared influence of single rows. */
  squares: number;
}

function clusterSums(
  sorted: Float64Array,
  targets: Uint8Array,
  order: Uint32Array,
  cluster: ArrayLike<number>,
  clusters: number,
  area: number,
): Sums {
  const rows = sorted.length;
  let positives = 0;
  for (const target of targets) positives += target;
  const negatives = rows - positives;
  const byCluster = new Float64Array(clusters);
  const sizes = new Float64Array(clusters);
  let squares = 0;
  for (let start = 0, below = 0, above = positives; start < rows; ) {
    let end = start;
    let p = 0;
    for (; end < rows && sorted[end] === sorted[start]; end += 1) p += targets[end]!;
    const q = end - start - p;
    const ofPositive = ((below + q / 2) / negatives - area) / positives;
    const ofNegative = ((above - p / 2) / positives - area) / negatives;
    for (let i = start; i < end; i += 1) {
      const influence = targets[i] === 1 ? ofPositive : ofNegative;
      const c = cluster[order[i]!]!;
      byCluster[c]! += influence;
      sizes[c]! += 1;
      squares += influence * influence;
    }
    below += q;
    above -= p;
    start = end;
  }
  return { byCluster, sizes, squares };
}

function clusterInterval(area: number, { byCluster, sizes, squares }: Sums, level: number): ClusterInterval | null {
  const spread = spreadOfSums(byCluster, sizes, level);
  // Influence values below rounding are no variance.
  if (!spread || !(spread.variance > 1e-28)) return null;
  const half = (spread.t * Math.sqrt(spread.variance)) / (area * (1 - area));
  const odds = area / (1 - area);
  return {
    lower: 1 / (1 + Math.exp(half) / odds),
    upper: 1 / (1 + Math.exp(-half) / odds),
    method: "jackknife, logit t",
    clusters: spread.clusters,
    effective_clusters: spread.effective_clusters,
    design_effect: squares > 0 ? spread.variance / squares : null,
  };
}
