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
