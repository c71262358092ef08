import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel, checkSquareTable } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import { wilsonInterval } from "../intervals/proportion.js";

export interface FalsePositiveThreshold {
  /** Scores strictly above it are flagged; null: no score is, however high. */
  threshold: number | null;
  /** Number of negative rows from which it was chosen. */
  n: number;
  /** Share of these rows that it flags. */
  rate: number | null;
  reason?: string;
}

/**
 * The threshold above which a score flags at most a given share of harmless rows, chosen on some of them and valid for others of their kind:
 * for detectors whose false alarms must be limited before their hits are counted.
 *
 * Formula: x is flagged iff (1 + #{c_i ≥ x}) / (n + 1) ≤ a, where c are the scores of n harmless rows: the conformal p-value of x. That is
 * x > τ, τ the k-th largest c, k = ⌊a (n + 1)⌋.
 * Range: a value among c. The probability that another harmless row is flagged is at most a, over the draw of both; ties make it smaller.
 * Undefined when: n + 1 < 1/a: no score is then certain to be rare enough; threshold null with a reason. RangeError when a is
 * outside (0, 1) or a score is NaN.
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
  // A share of 0.05 of 20 is 1, even if the product falls short in its last digit.
  const allowed = Math.floor(share * (n + 1) + 1e-9);
  if (allowed < 1) {
    const needed = Math.ceil(1 / share - 1 - 1e-9);
    return { threshold: null, n, rate: null, reason: `${n} rows are too few: ${needed} are needed for this share` };
  }
  // Scores above τ are flagged: at most allowed − 1 of the rows themselves.
  const threshold = sorted[n - allowed]!;
  let above = 0;
  while (above < n && sorted[n - 1 - above]! > threshold) above += 1;
  return { threshold, n, rate: above / n };
}

export interface RocPoint {
  /** Rows with at least this score are flagged; Infinity: none. */
  threshold: number;
  false_positive_rate: number;
  true_positive_rate: number;
}

/**
 * The ROC curve of a score: at every threshold, the share of positives and of negatives at or above it.
 *
 * Formula: TPR(t) = #{x_i ≥ t}/m, FPR(t) = #{y_j ≥ t}/n, for t = ∞ and every score that occurs, downwards. Points on a straight line between
 * their neighbours are left out; ties make a slanted step.
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
    // Collinear with the two before: the middle point is redundant. Computed in counts, so it is exact.
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

/**
 * Balanced accuracy: mean recall over the classes, so that a rare class counts as much as a common one. The table's rows
 * are the truth, its columns the answers.
 *
 * Formula: (1/K) Σ_k x_k / n_k over the K classes with n_k > 0, x_k right answers of n_k. Interval ± z √(Σ p̃_k
 * (1−p̃_k) / n_k) / K, cut to [0, 1], the classes being independent binomials; p̃_k = (x_k+1)/(n_k+2) in the variance
 * only, because x_k/n_k of 0 or 1 would give an interval without width.
 * Range: [0, 1], higher is better; 1/K by guessing.
 * Undefined when: no rows. A class without rows is left out and named in a warning. RangeError when the table is not square.
 * Differs from the paper: not in the paper.
 * @see Agresti and Caffo (2000), The American Statistician 54:280-288, for p̃
 * @example
 * balancedAccuracy([[40, 10], [5, 95]]).estimate // => 0.875
 */
export function balancedAccuracy(table: readonly (readonly number[])[], level = CONFIDENCE_LEVEL): Estimate {
  checkSquareTable(table);
  checkLevel(level);
  const warnings: string[] = [];
  let classes = 0;
  let n = 0;
  let recalls = 0;
  let variances = 0;
  for (const [index, row] of table.entries()) {
    const total = row.reduce((sum, count) => sum + count, 0);
    if (total === 0) {
      warnings.push(`class ${index + 1} of ${table.length} has no rows and is left out`);
      continue;
    }
    const softened = (row[index]! + 1) / (total + 2);
    classes += 1;
    n += total;
    recalls += row[index]! / total;
    variances += (softened * (1 - softened)) / total;
  }
  if (n === 0) return undefinedEstimate("no rows", 0);
  const estimate = recalls / classes;
  const half = (normalQuantile((1 + level) / 2) * Math.sqrt(variances)) / classes;
  return {
    estimate,
    lower: Math.max(0, estimate - half),
    upper: Math.min(1, estimate + half),
    level,
    method: "independent binomials, (x+1)/(n+2) in the variance",
    n,
    ...(warnings.length > 0 && { warnings }),
  };
}

/**
 * F1 of the positive class, with an interval.
 *
 * Formula: F1 = 2TP / (2TP + FP + FN) = 2J / (1 + J), J = TP / (TP + FP + FN). J is a proportion and the map rises, so
 * the Wilson bounds of J mapped the same way are bounds of F1 at the same level.
 * Range: [0, 1], higher is better; 0 when nothing positive was found but errors were made.
 * Undefined when: TP + FP + FN = 0 (no positives, none claimed). `n` counts these rows; true negatives do not matter.
 * Differs from the paper: the interval is added.
 * @see paper §5.2; `wilsonInterval`
 * @example
 * f1Estimate(40, 10, 20).estimate // => 0.7272727272727273
 */
export function f1Estimate(tp: number, fp: number, fn: number, level = CONFIDENCE_LEVEL): Estimate {
  checkCount("true positives", tp);
  checkCount("false positives", fp);
  checkCount("false negatives", fn);
  const n = tp + fp + fn;
  if (n === 0) return undefinedEstimate("no positives, true or claimed", 0);
  const { lower, upper } = wilsonInterval(tp, n, level);
  return {
    estimate: (2 * tp) / (n + tp),
    lower: (2 * lower) / (1 + lower),
    upper: (2 * upper) / (1 + upper),
    level,
    method: "wilson on TP/(TP+FP+FN)",
    n,
  };
}

/**
 * The F1 that given error rates produce at a given frequency of positives: how much of a low F1 is class imbalance. With
 * `falsePositiveRate` = 1 − `truePositiveRate` it is the F1 of a decider that agrees with people at that rate on positives and negatives alike.
 *
 * Formula: F1 = 2 π t / (π t + π + (1 − π) f), π prevalence, t true positive rate, f false positive rate: the counts of
 * 2TP / (2TP + FP + FN) divided by the number of rows.
 * Range: [0, 1]; rises in t and in π, falls in f. With t = 0.9 and f = 0.1 it is 0.90 at π = ½ and 0.64 at π = 0.1.
 * Undefined when: no positives and no false ones (π = 0 and f = 0): null. RangeError when an argument is outside [0, 1].
 * Differs from the paper: not in the paper, which compares F1 of cohorts with different shares of removals.
 * @see paper §5.2
 * @example
 * f1AtPrevalence(0.9, 0.1, 0.1) // => 0.6428571428571429
 */
export function f1AtPrevalence(truePositiveRate: number, falsePositiveRate: number, prevalence: number): number | null {
  for (const rate of [truePositiveRate, falsePositiveRate, prevalence]) {
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`rate: outside its domain; got ${rate}, expected 0 to 1`);
  }
  const found = prevalence * truePositiveRate;
  const whole = found + prevalence + (1 - prevalence) * falsePositiveRate;
  return whole === 0 ? null : (2 * found) / whole;
}
