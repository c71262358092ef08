import { checkLevel } from "../check-arguments.js";

export interface FalsePositiveThreshold {
  /** A score strictly above it is flagged; null: no score is, however high. */
  threshold: number | null;
  /** Negative rows it was chosen on. */
  n: number;
  /** Share of these rows that it flags. */
  rate: number | null;
  reason?: string;
}

/**
 * The threshold above which a score flags at most a given share of harmless rows, chosen on some of them and valid for others of their kind:
 * for detectors whose false alarms are limited before their hits are counted.
 *
 * Formula: x is flagged iff (1 + #{c_i ≥ x}) / (n + 1) ≤ a, c the scores of n harmless rows: the conformal p-value of x. That is x > τ, τ the k-th
 * largest c, k = ⌊a (n + 1)⌋.
 * Range: a value among c. The chance that a further harmless row is flagged is at most a, over the draw of both; ties make it smaller.
 * Undefined when: n + 1 < 1/a: then no score is surely rare enough, threshold null with a reason. RangeError when a is outside (0, 1) or a score is
 * NaN.
 * Differs from the paper: the paper prints neither thresholds nor false-positive rates.
 * @see Vovk, Gammerman and Shafer (2005), Algorithmic Learning in a Random World, section 2.3
 * @example
 * falsePositiveThreshold([1, 2, 3, 4, 5, 6, 7, 8, 9], 0.2) // => { threshold: 8, n: 9, rate: 0.1111111111111111 }
 */
export function falsePositiveThreshold(harmless: ArrayLike<number>, share: number): FalsePositiveThreshold {
  checkLevel(share);
  const sorted = new Float64Array(harmless).sort();
  const n = sorted.length;
  if (n > 0 && Number.isNaN(sorted[n - 1])) {
    throw new RangeError("scores: not comparable; got NaN, expected numbers");
  }
  // A share of 0.05 of 20 is 1, also where the product falls short in its last digit.
  const allowed = Math.floor(share * (n + 1) + 1e-9);
  if (allowed < 1) {
    const needed = Math.ceil(1 / share - 1 - 1e-9);
    return { threshold: null, n, rate: null, reason: `${n} rows are too few: ${needed} are needed for this share` };
  }
  // Flagged are scores above τ: at most allowed − 1 of the rows themselves.
  const threshold = sorted[n - allowed]!;
  let above = 0;
  while (above < n && sorted[n - 1 - above]! > threshold) above += 1;
  return { threshold, n, rate: above / n };
}

export interface RocPoint {
  /** Rows with a score of at least this are flagged; Infinity: none. */
  threshold: number;
  false_positive_rate: number;
  true_positive_rate: number;
}

/**
 * The ROC curve of a score: at every threshold, the share of positives and of negatives at or above it.
 *
 * Formula: TPR(t) = #{x_i ≥ t}/m, FPR(t) = #{y_j ≥ t}/n, for t = ∞ and every score that occurs, downwards. Points on a straight line between
 * their neighbours are left out; equal scores make a slanted step.
 * Range: from (0, 0) to (1, 1), both rates rise. The area under it is `auroc`.
 * Undefined when: a class is empty: no points. RangeError when a score is NaN.
 * Differs from the paper: not in the paper, which prints one unnamed threshold.
 * @see Fawcett (2006), Pattern Recognition Letters 27:861-874
 * @example
 * rocCurve([3, 2], [2, 1]).length // => 4
 */
export function rocCurve(positives: ArrayLike<number>, negatives: ArrayLike<number>): RocPoint[] {
  const up = descending(positives);
  const down = descending(negatives);
  if (up.length === 0 || down.length === 0) return [];
  const points: RocPoint[] = [{ threshold: Infinity, false_positive_rate: 0, true_positive_rate: 0 }];
  const counts: [number, number][] = [[0, 0]];
  let i = 0;
  let j = 0;
  while (i < up.length || j < down.length) {
    const threshold = Math.max(up[i] ?? -Infinity, down[j] ?? -Infinity);
    while (i < up.length && up[i] === threshold) i += 1;
    while (j < down.length && down[j] === threshold) j += 1;
    const [[x0, y0], [x1, y1]] = [counts.at(-2) ?? [-1, 0], counts.at(-1)!];
    // On a line with the two before: the middle one says nothing. In counts, so that it is exact.
    if (counts.length > 1 && (x1 - x0) * (i - y1) === (j - x1) * (y1 - y0)) {
      points.pop();
      counts.pop();
    }
    counts.push([j, i]);
    points.push({ threshold, false_positive_rate: j / down.length, true_positive_rate: i / up.length });
  }
  return points;
}

function descending(scores: ArrayLike<number>): Float64Array {
  const sorted = new Float64Array(scores).sort().reverse();
  if (sorted.length > 0 && Number.isNaN(sorted[0])) {
    throw new RangeError("scores: not comparable; got NaN, expected numbers");
  }
  return sorted;
}
