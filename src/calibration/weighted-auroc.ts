/**
 * Area under the ROC curve as a function of how often each cluster counts: for bootstraps, which ask for it thousands of times. Rows are sorted
 * once; each call walks them once.
 *
 * Formula: Σ over tied groups, from the lowest score, of W₁(group) (W₀(below) + ½ W₀(group)) / (W₁ W₀), W_k the weight of class k.
 * Range: [0, 1].
 * Undefined when: a class has no weight (null).
 * Differs from the paper: not in the paper.
 * @see auroc, whose value it has where every weight is 1
 * @example
 * weightedAuroc(Float64Array.of(0.1, 0.4, 0.4), Uint8Array.of(0, 1, 0), Int32Array.of(0, 1, 1))(Float64Array.of(1, 1)) // => 0.75
 */
export function weightedAuroc(
  score: Float64Array,
  y: Uint8Array,
  cluster: Int32Array,
): (weights: Float64Array) => number | null {
  const order = Int32Array.from(score.keys()).sort((i, j) => score[i]! - score[j]!);
  const label = Uint8Array.from(order, (i) => y[i]!);
  const of = Int32Array.from(order, (i) => cluster[i]!);
  // 1: the next row has a higher score.
  const ends = Uint8Array.from(order, (i, r) => (r + 1 === order.length || score[order[r + 1]!]! > score[i]! ? 1 : 0));
  return (weights) => {
    let [below, total, area, positives, negatives] = [0, 0, 0, 0, 0];
    for (let r = 0; r < label.length; r += 1) {
      const weight = weights[of[r]!]!;
      if (label[r] === 1) positives += weight;
      else negatives += weight;
      if (ends[r] === 0) continue;
      area += positives * (below + negatives / 2);
      below += negatives;
      total += positives;
      positives = 0;
      negatives = 0;
    }
    return total === 0 || below === 0 ? null : area / (total * below);
  };
}
