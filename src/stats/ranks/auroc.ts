import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkLevel, checkNumbers } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import { wilsonInterval } from "../intervals/proportion.js";

/**
 * Area under the ROC curve of scores that are already sorted, in one pass: `auroc` without its sort.
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

/** Where the run of equal scores that begins at `start` ends. */
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

/**
 * Area under the ROC curve: the probability that a positive scores above a negative, with ties counted one half. It
 * measures how well a score separates two classes, whatever its scale.
 *
 * Formula: A = (1/mn) ΣΣ ψ(x_i, y_j), ψ = 1, ½, 0 for x > y, =, <. DeLong variance V = s²(V10)/m + s²(V01)/n, V10_i and V01_j the row and column
 * means of ψ, found from the two sorted samples in O(N log N). Interval: logit A ± z √V / (A(1−A)), mapped back.
 * Range: [0, 1]; ½ is no separation, below ½ the score is reversed. Infinite scores are fine.
 * Undefined when: a class is empty. If the variance cannot be estimated (A of 0 or 1, V = 0, one row in a class) the
 * interval is Wilson's on min(m, n) pseudo-trials, and `method` says so. RangeError when a score is NaN.
 * Differs from the paper: the interval is added.
 * @see DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845; Sun and Xu (2014), IEEE Signal Processing
 *   Letters 21:1389-1393
 * @example
 * auroc([0.9, 0.8, 0.8, 0.4], [0.1, 0.8, 0.3]).estimate // => 0.8333333333333334
 */
export function auroc(positives: ArrayLike<number>, negatives: ArrayLike<number>, level = CONFIDENCE_LEVEL): Estimate {
  checkLevel(level);
  const sortedPositives = sorted(positives);
  const sortedNegatives = sorted(negatives);
  return aurocEstimate(
    placements(sortedPositives, sortedNegatives),
    placements(sortedNegatives, sortedPositives),
    level,
  );
}

function sorted(scores: ArrayLike<number>): Float64Array {
  checkNumbers("scores", scores);
  return new Float64Array(scores).sort();
}

/**
 * Counts, for each value, how many of `others` lie below it, with equal ones counted one half; returns the sum and sample
 * variance of the counts. Counts are multiples of one half, so the sum is exact and does not depend on the order of rows.
 */
function placements(values: Float64Array, others: Float64Array): Placements {
  const counts = new Float64Array(values.length);
  let below = 0;
  let notAbove = 0;
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    while (below < others.length && others[below]! < value) below += 1;
    while (notAbove < others.length && others[notAbove]! <= value) notAbove += 1;
    counts[i] = (below + notAbove) / 2;
    sum += counts[i]!;
  }
  const mean = sum / values.length;
  let squares = 0;
  for (let i = 0; i < counts.length; i += 1) squares += (counts[i]! - mean) * (counts[i]! - mean);
  return { rows: values.length, sum, variance: values.length > 1 ? squares / (values.length - 1) : 0 };
}

/** Per row of a class: how many rows of the other lie below it (for positives) or above it (for negatives), with equal ones counted one half. */
interface Placements {
  rows: number;
  sum: number;
  /** Sample variance of the counts. */
  variance: number;
}

/** Area under the ROC curve with DeLong's interval from the placements of both classes; see `auroc`. */
function aurocEstimate(positives: Placements, negatives: Placements, level: number): Estimate {
  const m = positives.rows;
  const n = negatives.rows;
  if (m === 0 || n === 0) return undefinedEstimate(m === 0 ? "no positive rows" : "no negative rows", m + n);
  const estimate = positives.sum / (m * n);
  const variance = positives.variance / (m * n * n) + negatives.variance / (n * m * m);
  if (m === 1 || n === 1 || variance === 0 || estimate === 0 || estimate === 1) {
    const trials = Math.min(m, n);
    const method = "wilson on min(n_pos, n_neg) pseudo-trials, DeLong variance not estimable";
    return { estimate, ...wilsonInterval(estimate * trials, trials, level), level, method, n: m + n };
  }
  const half = (normalQuantile((1 + level) / 2) * Math.sqrt(variance)) / (estimate * (1 - estimate));
  const odds = estimate / (1 - estimate);
  const lower = 1 / (1 + Math.exp(half) / odds);
  const upper = 1 / (1 + Math.exp(-half) / odds);
  return { estimate, lower, upper, level, method: "DeLong, logit", n: m + n };
}
