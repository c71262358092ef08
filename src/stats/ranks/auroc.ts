import { CONFIDENCE_LEVEL, type Estimate } from "../../core/estimate.js";
import { checkLevel, checkNumbers } from "../check-arguments.js";
import { aurocEstimate, type Placements } from "./auroc-estimate.js";

/**
 * Area under the ROC curve: the probability that a positive scores above a negative, ties counted one half. Measures
 * how well a score separates two classes, whatever its scale.
 *
 * Formula: A = (1/mn) ΣΣ ψ(x_i, y_j), ψ = 1, ½, 0 for x > y, =, <. DeLong variance V = s²(V10)/m + s²(V01)/n, V10_i and
 * V01_j the row and column means of ψ, found from the two sorted samples in O(N log N). Interval: logit A ± z √V /
 * (A(1−A)), mapped back.
 * Range: [0, 1]; ½ is no separation, below ½ the score is reversed. Infinite scores are fine.
 * Undefined when: a class is empty. Where the variance cannot be estimated (A of 0 or 1, V = 0, one row in a class) the
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
 * For each value, how many of `others` lie below it, equal ones counted one half: sum and sample variance of these
 * counts. Counts are multiples of one half, so the sum is exact and does not depend on the order of rows.
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
