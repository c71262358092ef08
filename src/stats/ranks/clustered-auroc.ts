import { type ClusterInterval, CONFIDENCE_LEVEL, type Estimate } from "../../core/estimate.js";
import { clusterSpread, effectiveClusters } from "../intervals/cluster-jackknife.js";
import { aurocOfSorted } from "./auroc.js";
import { sortedOrder } from "./sorted-order.js";

/**
 * Area under the ROC curve of rows that come in clusters (communities): `auroc` of columns, with the interval for dependent rows in
 * addition to DeLong's.
 *
 * Formula: A as `auroc`; V = Σ(A_(−c) − A)², A_(−c) without cluster c; logit A ± t_ν √V / (A(1−A)), mapped back, ν as `clusterJackknife`.
 * Range: [0, 1]; ½ is no separation. Design effect: V over the sum of squares of the single rows.
 * Undefined when: a class is empty. No `cluster` with fewer than two clusters; nor, with a warning, if V = 0 (as for A of 0 or 1) or if one
 * cluster has all rows of a class.
 * RangeError when a score is NaN.
 * Differs from the paper: the paper gives no AUROC; it prints rank correlations with a binary partner instead.
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
  if (estimate.estimate === null) return estimate;
  const without = leaveOut(sorted, targets, order, cluster, clusters, estimate.estimate);
  const present = [...without.sizes].filter((size) => size > 0).length;
  if (present < 2) return estimate;
  const interval = clusterInterval(estimate.estimate, without, level);
  if (typeof interval !== "string") return { ...estimate, cluster: interval };
  return {
    ...estimate,
    warnings: [`no interval over communities: ${interval}. The one given treats decisions as independent`],
  };
}

interface LeftOut {
  /** A without each cluster. Not finite if that leaves a class empty. */
  areas: Float64Array;
  sizes: Float64Array;
  /** Σ of the squared influence of individual rows. */
  squares: number;
}

/** Correctly ordered pairs, minus those with a row in the cluster. Pairs within it are subtracted twice, so they are added back. */
function leaveOut(
  sorted: Float64Array,
  targets: Uint8Array,
  order: Uint32Array,
  cluster: ArrayLike<number>,
  clusters: number,
  area: number,
): LeftOut {
  const rows = sorted.length;
  let positives = 0;
  for (const target of targets) positives += target;
  const negatives = rows - positives;
  const column = () => new Float64Array(clusters);
  const [ofRows, within, sizes, positive] = [column(), column(), column(), column()];
  // Within the cluster: negatives with lower scores, and rows of each class with this score.
  const [lower, tiedPositive, tiedNegative] = [column(), column(), column()];
  let squares = 0;
  for (let start = 0, below = 0, above = positives; start < rows; ) {
    let end = start;
    let p = 0;
    for (; end < rows && sorted[end] === sorted[start]; end += 1) p += targets[end]!;
    const q = end - start - p;
    const ofPositive = below + q / 2;
    const ofNegative = above - p / 2;
    for (let i = start; i < end; i += 1) {
      const c = cluster[order[i]!]!;
      sizes[c]! += 1;
      if (targets[i] === 1) {
        positive[c]! += 1;
        ofRows[c]! += ofPositive;
        within[c]! += lower[c]!;
        tiedPositive[c]! += 1;
        squares += ((ofPositive / negatives - area) / positives) ** 2;
      } else {
        ofRows[c]! += ofNegative;
        tiedNegative[c]! += 1;
        squares += ((ofNegative / positives - area) / negatives) ** 2;
      }
    }
    for (let i = start; i < end; i += 1) {
      const c = cluster[order[i]!]!;
      within[c]! += (tiedPositive[c]! * tiedNegative[c]!) / 2;
      lower[c]! += tiedNegative[c]!;
      tiedPositive[c] = 0;
      tiedNegative[c] = 0;
    }
    below += q;
    above -= p;
    start = end;
  }
  const pairs = area * positives * negatives;
  const areas = Float64Array.from(sizes, (size, c) => {
    const others = (positives - positive[c]!) * (negatives - (size - positive[c]!));
    return (pairs - ofRows[c]! + within[c]!) / others;
  });
  return { areas, sizes, squares };
}

/** The interval, or why it is undefined. */
function clusterInterval(area: number, { areas, sizes, squares }: LeftOut, level: number): ClusterInterval | string {
  const changes = [...areas].filter((_, c) => sizes[c]! > 0).map((one) => one - area);
  if (!changes.every(Number.isFinite)) return "one community has a whole class to itself";
  const spread = clusterSpread(changes, effectiveClusters(sizes), level);
  // Changes below rounding are not variance.
  if (!spread || !(spread.variance > 1e-28)) return "the area is the same without each community";
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
