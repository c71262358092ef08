import { type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import { stratifiedJackknife } from "../../../stats/intervals/stratified-jackknife.js";

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

/** Members of a population of which the rows are no noticeable part: no finite correction. */
const MANY = 1e15;

/** The same of rows with weights, with the jackknife's interval. Rows without a score are left out. */
export function weightedArea(score: Float64Array, y: Uint8Array, weight: Float64Array): Estimate {
  const rows = Int32Array.from(score.keys()).filter((i) => !Number.isNaN(score[i]!) && y[i]! <= 1);
  const own = Float64Array.from(rows, (i) => weight[i]!);
  const area = weightedAuroc(
    Float64Array.from(rows, (i) => score[i]!),
    Uint8Array.from(rows, (i) => y[i]!),
    Int32Array.from(rows.keys()),
  );
  if (area(own) === null) return undefinedEstimate("one class has no rows", rows.length);
  const stratum = new Int32Array(rows.length);
  return stratifiedJackknife(stratum, [MANY], (w) => area(own.map((one, i) => one * w[i]!)), { bounds: [0, 1] });
}
