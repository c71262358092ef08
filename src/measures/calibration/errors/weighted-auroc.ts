import { type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import { checkScores } from "../../../stats/check-arguments.js";
import { stratifiedJackknife } from "../../../stats/intervals/stratified-jackknife.js";
import { LOG_CLIP } from "../../signals/components.js";

/**
 * Area under the ROC curve as a function of the clusters' weights, for bootstraps that need it thousands of times. Rows are sorted once, and each
 * call makes one pass.
 *
 * Formula: Σ over tied groups, from the lowest score, of W₁(group) (W₀(below) + ½ W₀(group)) / (W₁ W₀), W_k the weight of class k.
 * Range: [0, 1].
 * Undefined when: a class has no weight (null).
 * Differs from the paper: not in the paper.
 * @see auroc, which gives the same value if every weight is 1
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

/** Population size so large that there is no finite-population correction. */
const MANY = 1e15;

/** The same for weighted rows, with the jackknife's interval. Rows without a score are left out. */
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

/**
 * Log-loss of a constant prediction of the base rate, which any score must beat.
 *
 * Formula: −p ln p − (1 − p) ln(1 − p), p = k/n, in nats.
 * Range: [0, ln 2]; 0 for one class.
 * Undefined when: n = 0: null.
 * Differs from the paper: not in the paper, whose loss of 0.3127 is 0.381 by this measure.
 * @example
 * baseRateEntropy(1, 2) // => 0.6931471805599453
 */
export function baseRateEntropy(k: number, n: number): number | null {
  if (n === 0) return null;
  if (k === 0 || k === n) return 0;
  const p = k / n;
  return -p * Math.log(p) - (1 - p) * Math.log1p(-p);
}

export interface LogLoss {
  /** Nats per row. */
  value: number | null;
  /** Rows whose outcome had a probability below the clip. For them the clip determines the value. */
  clipped: number;
}

/**
 * Log-loss of scores, in nats per row.
 *
 * Formula: mean of −ln s for y = 1 and −ln(1 − s) for y = 0; probabilities below 10⁻¹² are clipped to 10⁻¹² inside the logarithm, and counted.
 * Range: [0, 27.6], lower is better; compare with the base-rate entropy.
 * Undefined when: no rows: null. RangeError when a score is outside [0, 1], an outcome is not 0 or 1, or the lengths differ.
 * Differs from the paper: equal to the paper's loss of S at given weights except for ε (`paperLoss`).
 * @example
 * logLoss([0.5, 0.25], [1, 0]) // => { value: 0.4904146265058631, clipped: 0 }
 */
export function logLoss(
  scores: ArrayLike<number>,
  targets: ArrayLike<number>,
  weights: ArrayLike<number> | null = null,
): LogLoss {
  checkScores(scores, targets);
  if (weights) return weightedLoss(scores, targets, weights);
  let sum = 0;
  let clipped = 0;
  // One logarithm for many rows. A factor is no smaller than the clip, so the product cannot underflow between two checks.
  let product = 1;
  for (let i = 0; i < scores.length; i += 1) {
    let probability = targets[i] === 1 ? scores[i]! : 1 - scores[i]!;
    if (probability < LOG_CLIP) {
      probability = LOG_CLIP;
      clipped += 1;
    }
    product *= probability;
    if (product < 1e-200) {
      sum -= Math.log(product);
      product = 1;
    }
  }
  sum -= Math.log(product);
  // Avoids −0 when every outcome was certain.
  return { value: scores.length === 0 ? null : sum / scores.length + 0, clipped };
}

function weightedLoss(scores: ArrayLike<number>, targets: ArrayLike<number>, weights: ArrayLike<number>): LogLoss {
  let [sum, total, clipped] = [0, 0, 0];
  for (let i = 0; i < scores.length; i += 1) {
    const probability = targets[i] === 1 ? scores[i]! : 1 - scores[i]!;
    if (probability < LOG_CLIP) clipped += 1;
    sum -= weights[i]! * Math.log(Math.max(probability, LOG_CLIP));
    total += weights[i]!;
  }
  return { value: total === 0 ? null : sum / total + 0, clipped };
}

export interface BrierScore {
  /** Mean of (s − y)². */
  value: number | null;
  /** Distance between scores and rates, bin by bin: lower is better. */
  reliability: number | null;
  /** How much the rates of the bins differ: higher is better. */
  resolution: number | null;
  /** ȳ(1 − ȳ): the score of the base rate. */
  uncertainty: number | null;
  within_bin_variance: number | null;
  within_bin_covariance: number | null;
}

/**
 * Brier score of sorted scores with its exact decomposition over bins.
 *
 * Formula: mean (s − y)² = REL − RES + UNC + WBV − 2 WBC with REL = Σ n_b/N (s̄_b − ȳ_b)², RES = Σ n_b/N (ȳ_b − ȳ)², UNC = ȳ(1 − ȳ), WBV = mean (s
 * − s̄_b)², WBC = mean (y − ȳ_b)(s − s̄_b). Without the last two terms the sum is wrong unless all scores of a bin are equal.
 * Range: [0, 1], lower is better; compare with `uncertainty`, the score of the base rate.
 * Undefined when: no rows: all null.
 * Differs from the paper: not in the paper.
 * @see Stephenson, Coelho and Jolliffe (2008), Weather and Forecasting 23:752-757
 * @example
 * brierScore([0.2, 0.4, 0.9], [0, 1, 1], [0, 2, 3]).value // => 0.136667
 */
export function brierScore(
  sorted: ArrayLike<number>,
  targets: ArrayLike<number>,
  edges: ArrayLike<number>,
  weights: ArrayLike<number> | null = null,
): BrierScore {
  checkScores(sorted, targets);
  for (let i = 1; i < sorted.length; i += 1) {
    if (sorted[i]! < sorted[i - 1]!) {
      throw new RangeError(`scores: not sorted; row ${i} has ${sorted[i]} after ${sorted[i - 1]}, expected ascending`);
    }
  }
  const weight = (i: number) => (weights ? weights[i]! : 1);
  let rows = 0;
  for (let i = 0; i < sorted.length; i += 1) rows += weight(i);
  if (rows === 0) {
    return {
      value: null,
      reliability: null,
      resolution: null,
      uncertainty: null,
      within_bin_variance: null,
      within_bin_covariance: null,
    };
  }
  let positives = 0;
  for (let i = 0; i < sorted.length; i += 1) positives += weight(i) * targets[i]!;
  const rate = positives / rows;
  let [value, reliability, resolution, variance, covariance] = [0, 0, 0, 0, 0];
  for (let b = 0; b + 1 < edges.length; b += 1) {
    const [start, end] = [edges[b]!, edges[b + 1]!];
    let [size, scores, count] = [0, 0, 0];
    for (let i = start; i < end; i += 1) {
      size += weight(i);
      scores += weight(i) * sorted[i]!;
      count += weight(i) * targets[i]!;
    }
    if (size === 0) continue;
    const meanScore = scores / size;
    const binRate = count / size;
    reliability += size * (meanScore - binRate) ** 2;
    resolution += size * (binRate - rate) ** 2;
    for (let i = start; i < end; i += 1) {
      const score = sorted[i]!;
      const target = targets[i]!;
      const deviation = score - meanScore;
      value += weight(i) * (score - target) * (score - target);
      variance += weight(i) * deviation * deviation;
      covariance += weight(i) * (target - binRate) * deviation;
    }
  }
  return {
    value: value / rows,
    reliability: reliability / rows,
    resolution: resolution / rows,
    uncertainty: rate * (1 - rate),
    within_bin_variance: variance / rows,
    within_bin_covariance: covariance / rows,
  };
}
