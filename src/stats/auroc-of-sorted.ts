import { CONFIDENCE_LEVEL, type Estimate } from "../domain/estimate.js";
import { aurocEstimate } from "./auroc-estimate.js";
import { checkLevel } from "./check-arguments.js";

/**
 * Area under the ROC curve of scores that are sorted already, in one pass: `auroc` without its sort.
 *
 * Formula: as `auroc`; a run of equal scores with p positives and q negatives above Q negatives adds p (Q + q/2) to the
 * sum, and its rows share their placement.
 * Range: [0, 1]; ½ is no separation.
 * Undefined when: a class is empty. RangeError when the scores are not in ascending order.
 * Differs from the paper: the interval is added.
 * @see DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845
 * @example
 * aurocOfSorted([0.1, 0.3, 0.4, 0.8, 0.8, 0.8, 0.9], [0, 0, 1, 0, 1, 1, 1]).estimate // => 0.8333333333333334
 */
export function aurocOfSorted(
  sorted: ArrayLike<number>,
  targets: ArrayLike<number>,
  level = CONFIDENCE_LEVEL,
): Estimate {
  checkLevel(level);
  const rows = sorted.length;
  let positiveRows = 0;
  for (let i = 0; i < rows; i += 1) positiveRows += targets[i]!;
  const negativeRows = rows - positiveRows;
  // Counts are multiples of one half below 2^53: their sums are exact and do not depend on the order of rows.
  let [seenPositives, seenNegatives] = [0, 0];
  let sum = 0;
  forRuns(sorted, targets, (p, q) => {
    sum += p * (seenNegatives + q / 2);
    seenNegatives += q;
  });
  const meanOfPositives = sum / positiveRows;
  const meanOfNegatives = sum / negativeRows;
  let [squaresOfPositives, squaresOfNegatives] = [0, 0];
  seenNegatives = 0;
  forRuns(sorted, targets, (p, q) => {
    squaresOfPositives += p * (seenNegatives + q / 2 - meanOfPositives) ** 2;
    squaresOfNegatives += q * (positiveRows - seenPositives - p / 2 - meanOfNegatives) ** 2;
    seenPositives += p;
    seenNegatives += q;
  });
  return aurocEstimate(
    { rows: positiveRows, sum, variance: positiveRows > 1 ? squaresOfPositives / (positiveRows - 1) : 0 },
    { rows: negativeRows, sum, variance: negativeRows > 1 ? squaresOfNegatives / (negativeRows - 1) : 0 },
    level,
  );
}

function forRuns(
  sorted: ArrayLike<number>,
  targets: ArrayLike<number>,
  visit: (positives: number, negatives: number) => void,
): void {
  for (let i = 0; i < sorted.length; ) {
    const value = sorted[i]!;
    let positives = 0;
    let end = i;
    for (; end < sorted.length && sorted[end] === value; end += 1) positives += targets[end]!;
    if (!(end > i && (end === sorted.length || sorted[end]! > value))) {
      throw new RangeError(`scores: not in ascending order; got ${sorted[end]} after ${value}`);
    }
    visit(positives, end - i - positives);
    i = end;
  }
}
