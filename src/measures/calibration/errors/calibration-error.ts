import { checkScores } from "../../../stats/check-arguments.js";
import { ascendingOrder } from "../../../stats/tests/multiple-testing.js";
import { equalFrequencyEdges, PAPER_BINS } from "./bins.js";

/**
 * Root mean square calibration error with the part taken off that chance alone would leave.
 *
 * Formula: √max(0, Σ_b n_b/N [(s̄_b − ȳ_b)² − ȳ_b(1 − ȳ_b)/(n_b − 1)]).
 * Range: [0, 1]; 0 where chance explains all of it. Bins must not split equal scores (`unsplitEdges`).
 * Undefined when: no rows, or a bin of one row: null.
 * Differs from the paper: not in the paper.
 * @see Kumar, Liang and Ma (2019), NeurIPS 32:3787-3798
 * @example
 * debiasedError({ n: [4], scores: [2], positives: [4] }) // => 0.5
 */
export function debiasedError({ n, scores, positives }: BinSums): number | null {
  let rows = 0;
  let sum = 0;
  for (let b = 0; b < n.length; b += 1) {
    const size = n[b]!;
    if (size === 0) continue;
    if (size === 1) return null;
    const rate = positives[b]! / size;
    rows += size;
    sum += size * ((scores[b]! / size - rate) ** 2 - (rate * (1 - rate)) / (size - 1));
  }
  return rows === 0 ? null : Math.sqrt(Math.max(0, sum / rows));
}

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
 * y averaged over equal scores are offered in addition, because the paper's depends on the order of equal scores.
 * @see paper Appendix A.3; Naeini, Cooper and Hauskrecht (2015), AAAI 29:2901-2907
 * @example
 * calibrationError({ n: [2, 2], scores: [0.4, 1.6], positives: [1, 1] }) // => 0.3
 */
export function calibrationError({ n, scores, positives }: BinSums): number | null {
  let rows = 0;
  let sum = 0;
  for (let b = 0; b < n.length; b += 1) {
    if (typeof n[b] !== "number" || typeof scores[b] !== "number" || typeof positives[b] !== "number") {
      throw new RangeError(`bin ${b}: not numbers; got ${n[b]}, ${scores[b]}, ${positives[b]}`);
    }
    rows += n[b]!;
    sum += Math.abs(positives[b]! - scores[b]!);
  }
  if (Number.isNaN(sum + rows)) throw new RangeError("bins: not numbers; got NaN, expected finite sums");
  return rows === 0 ? null : sum / rows;
}

/**
 * Expected calibration error of scores and outcomes in one call, by the paper's bins: sorted ascending, equal scores in the order of rows,
 * `bins` parts of nearly equal size.
 *
 * Formula: `calibrationError` of the sums over `equalFrequencyEdges`.
 * Range: [0, 1]; 0 is best. `evaluateScore` has the null value to compare it with, and versions that do not depend on the order of equal scores.
 * Undefined when: no rows: null. RangeError when a score is outside [0, 1], an outcome is not 0 or 1, or the lengths differ.
 * Differs from the paper: nothing.
 * @see paper Appendix A.3
 * @example
 * ece([0.2, 0.4, 0.9, 0.9], [0, 1, 1, 1], 2) // => 0.15
 */
export function ece(scores: ArrayLike<number>, outcomes: ArrayLike<number>, bins = PAPER_BINS): number | null {
  checkScores(scores, outcomes);
  const order = ascendingOrder(scores);
  const edges = equalFrequencyEdges(scores.length, bins);
  const sums = { n: [] as number[], scores: [] as number[], positives: [] as number[] };
  for (let b = 0; b + 1 < edges.length; b += 1) {
    const rows = [...order.subarray(edges[b]!, edges[b + 1]!)];
    sums.n.push(rows.length);
    sums.scores.push(rows.reduce((sum, i) => sum + scores[i]!, 0));
    sums.positives.push(rows.reduce((sum, i) => sum + outcomes[i]!, 0));
  }
  return calibrationError(sums);
}
