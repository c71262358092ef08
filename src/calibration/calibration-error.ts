/** Sums over the rows of each bin. `positives` may be fractional, where equal scores share theirs. */
export interface BinSums {
  n: ArrayLike<number>;
  scores: ArrayLike<number>;
  positives: ArrayLike<number>;
}

/**
 * Expected calibration error: how far the mean score of a bin is from its rate of defensible rows, on average over rows.
 *
 * Formula: ECE = Σ_b n_b/N |ȳ_b − s̄_b|. Empty bins count nothing.
 * Range: [0, 1]; 0 is best, but a perfectly calibrated score does not reach it: compare with its null value.
 * Undefined when: no rows: null.
 * Differs from the paper: nothing with the bins of `equalFrequencyEdges` (10 bins of N/10 rows). Bins of equal width and
 * y averaged over equal scores are offered beside it, because the paper's depends on the order of equal scores.
 * @see paper Appendix A.3; Naeini, Cooper and Hauskrecht (2015), AAAI 29:2901-2907
 * @example
 * calibrationError({ n: [2, 2], scores: [0.4, 1.6], positives: [1, 1] }) // => 0.3
 */
export function calibrationError({ n, scores, positives }: BinSums): number | null {
  let rows = 0;
  let sum = 0;
  for (let b = 0; b < n.length; b += 1) {
    rows += n[b]!;
    sum += Math.abs(positives[b]! - scores[b]!);
  }
  return rows === 0 ? null : sum / rows;
}
