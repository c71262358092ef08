import { CONFIDENCE_LEVEL, type Estimate } from "../../core/estimate.js";
import { checkLevel } from "../check-arguments.js";
import { aurocEstimate } from "./auroc-estimate.js";

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
  let positives = 0;
  for (let i = 0; i < rows; i += 1) positives += targets[i]!;
  const negatives = rows - positives;
  // Placements are multiples of one half below 2^53: their sum is exact and does not depend on the order of rows.
  let sum = 0;
  for (let i = 0, below = 0; i < rows; ) {
    const end = runEnd(sorted, i);
    const p = countTargets(targets, i, end);
    const q = end - i - p;
    sum += p * (below + q / 2);
    below += q;
    i = end;
  }
  const meanOfPositives = sum / positives;
  const meanOfNegatives = sum / negatives;
  let squaresOfPositives = 0;
  let squaresOfNegatives = 0;
  for (let i = 0, below = 0, above = positives; i < rows; ) {
    const end = runEnd(sorted, i);
    const p = countTargets(targets, i, end);
    const q = end - i - p;
    squaresOfPositives += p * (below + q / 2 - meanOfPositives) ** 2;
    squaresOfNegatives += q * (above - p / 2 - meanOfNegatives) ** 2;
    below += q;
    above -= p;
    i = end;
  }
  return aurocEstimate(
    { rows: positives, sum, variance: positives > 1 ? squaresOfPositives / (positives - 1) : 0 },
    { rows: negatives, sum, variance: negatives > 1 ? squaresOfNegatives / (negatives - 1) : 0 },
    level,
  );
}

/** Where the run of equal scores from `start` on ends. */
function runEnd(sorted: ArrayLike<number>, start: number): number {
  const value = sorted[start]!;
  let end = start + 1;
  while (end < sorted.length && sorted[end] === value) end += 1;
  if (end < sorted.length && !(sorted[end]! > value)) {
    throw new RangeError(`scores: not in ascending order; got ${sorted[end]} after ${value}`);
  }
  return end;
}

function countTargets(targets: ArrayLike<number>, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i += 1) count += targets[i]!;
  return count;
}
