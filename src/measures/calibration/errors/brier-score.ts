import { checkScores } from "../../../stats/check-arguments.js";

export interface BrierScore {
  /** Mean of (s − y)². */
  value: number | null;
  /** Distance of scores from rates, bin by bin: lower is better. */
  reliability: number | null;
  /** How far the rates of the bins are apart: higher is better. */
  resolution: number | null;
  /** ȳ(1 − ȳ): the score of the base rate. */
  uncertainty: number | null;
  within_bin_variance: number | null;
  within_bin_covariance: number | null;
}

/**
 * Brier score of sorted scores with its exact decomposition over bins.
 *
 * Formula: mean (s − y)² = REL − RES + UNC + WBV − 2 WBC with REL = Σ n_b/N (s̄_b − ȳ_b)², RES = Σ n_b/N (ȳ_b − ȳ)²,
 * UNC = ȳ(1 − ȳ), WBV = mean (s − s̄_b)², WBC = mean (y − ȳ_b)(s − s̄_b). Without the last two the sum is wrong unless
 * all scores of a bin are equal.
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
