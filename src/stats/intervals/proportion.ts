import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel, checkNumber, checkTrials } from "../check-arguments.js";
import { betaLogitQuantile, betaQuantile } from "../distributions/incomplete-beta.js";
import { normalQuantile } from "../distributions/normal.js";

/** A two-sided confidence interval. */
export interface Interval {
  lower: number;
  upper: number;
}

/**
 * Whether an interval is informative. Variance formulas give rows that are all alike an interval without width, although two such
 * rows are no certainty; a width left by rounding a variance of zero does not count either.
 */
export function hasWidth({ lower, upper }: Interval): boolean {
  return upper - lower >= 1e-12;
}

/**
 * A rate k of n with its Wilson interval, as reports give every share. k may be fractional (a sum of probabilities).
 *
 * Formula: k / n.
 * Range: [0, 1].
 * Undefined when: n = 0 ("no rows"). RangeError when n is not a count or k is outside 0..n.
 * Differs from the paper: the paper prints no intervals.
 * @see `wilsonInterval`
 * @example
 * proportion(27, 30).estimate // => 0.9
 */
export function proportion(k: number, n: number, level = CONFIDENCE_LEVEL): Estimate {
  checkCount("rows", n);
  if (n === 0) return undefinedEstimate("no rows", 0);
  const { lower, upper } = wilsonInterval(k, n, level);
  return { estimate: k / n, lower, upper, level, method: "wilson", k, n };
}

/**
 * Wilson score interval of a proportion: the interval shown with every rate. On average its coverage is near nominal,
 * also for small n and rates near 0 or 1.
 *
 * Formula: (k + z²/2 ± z √(k(n−k)/n + z²/4)) / (n + z²), z the (1+level)/2 normal quantile. Each bound is written as its distance from 0 or 1, (k²/n)
 * / (k + z²/2 + z √…), so that small bounds keep their digits and k = 0 gives exactly 0.
 * Range: within [0, 1], encloses k/n; both bounds rise with k.
 * Undefined when: n ≤ 0, k outside 0..n, level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Wilson (1927), Journal of the American Statistical Association 22:209-212
 * @example
 * wilsonInterval(0, 10) // => { lower: 0, upper: 0.27753279986288926 }
 */
export function wilsonInterval(k: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkTrials(k, n);
  checkLevel(level);
  return scoreBounds(k, n, normalQuantile((1 + level) / 2));
}

/** The same for any quantile, such as Student's t if the variance behind n was estimated. */
export function scoreBounds(k: number, n: number, z: number): Interval {
  return { lower: lowerBound(k, n, z), upper: 1 - lowerBound(n - k, n, z) };
}

function lowerBound(k: number, n: number, z: number): number {
  const spread = z * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
  return (k * (k / n)) / (k + (z * z) / 2 + spread);
}

/**
 * Clopper–Pearson ("exact") interval of a proportion, for use where a guarantee is promised: its coverage is never
 * below the level. k and n may be real, as Korn–Graubard intervals of clustered rows require.
 *
 * Formula: lower = BetaInv(α/2; k, n−k+1), 0 at k = 0; upper = BetaInv(1−α/2; k+1, n−k), 1 at k = n; α = 1 − level. The
 * one-sided bound at 1 − δ is the upper bound at level 1 − 2δ.
 * Range: within [0, 1], encloses k/n; both bounds rise with k.
 * Undefined when: n ≤ 0, k outside 0..n, level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Clopper and Pearson (1934), Biometrika 26:404-413
 * @example
 * clopperPearsonInterval(0, 10) // => { lower: 0, upper: 0.30849710781876083 }
 */
export function clopperPearsonInterval(k: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkTrials(k, n);
  checkLevel(level);
  const tail = (1 - level) / 2;
  return {
    lower: k === 0 ? 0 : betaQuantile(tail, k, n - k + 1),
    upper: k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k),
  };
}

/**
 * One-sided exact bound of a proportion: with confidence 1 − δ the rate is at most (at least) this. Certificates state this bound.
 *
 * Formula: upper U = BetaInv(1−δ; k+1, n−k), 1 at k = n; lower L = BetaInv(δ; k, n−k+1), 0 at k = 0.
 * Range: [0, 1]; U ≥ k/n ≥ L; U ≤ r exactly when P(Bin(n, r) ≤ k) ≤ δ. k and n may be real.
 * Undefined when: n ≤ 0, k outside 0..n, δ outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no bounds.
 * @see Clopper and Pearson (1934), Biometrika 26:404-413
 * @example
 * clopperPearsonBound(0, 25, 0.05) // => 0.11293
 */
export function clopperPearsonBound(k: number, n: number, delta: number, side: "upper" | "lower" = "upper"): number {
  checkTrials(k, n);
  if (!(delta > 0 && delta < 1)) throw new RangeError(`delta: not an error rate; got ${delta}, expected 0 to 1`);
  if (side === "lower") return k === 0 ? 0 : betaQuantile(delta, k, n - k + 1);
  if (k === n) return 1;
  // 1 − δ is passed together with δ: a level of 1e-6 over thousands of communities would lose its digits in 1 − (1 − δ).
  return 1 / (1 + Math.exp(-betaLogitQuantile(1 - delta, delta, k + 1, n - k)));
}

/**
 * Probabilities of m categories from the number of times each was drawn: the posterior mean under Jeffreys' prior. A category that did not
 * come up in a few draws is not impossible, so logarithms and odds of the result are finite.
 *
 * Formula: p_i = (k_i + 1/2) / (K + m/2), K = Σ k_i.
 * Range: (0, 1), sum 1. Bias: towards 1/m by (1 − m p_i) / (2K + m); K draws of one category leave it 1 − (m − 1) / (2K + m).
 * Undefined when: there are no categories: an empty list. With K = 0 it is the prior's mean, 1/m each. RangeError when a count is not a count.
 * Differs from the paper: not in the paper.
 * @see Jeffreys (1946), Proceedings of the Royal Society A 186:453-461; `jeffreysInterval`
 * @example
 * jeffreysProbabilities([4, 0]) // => [0.9, 0.1]
 */
export function jeffreysProbabilities(counts: readonly number[]): number[] {
  let total = counts.length / 2;
  for (const count of counts) {
    checkCount("draws", count);
    total += count;
  }
  return counts.map((count) => (count + 0.5) / total);
}

/**
 * Jeffreys interval of a proportion: equal tails of the posterior under the Beta(½, ½) prior. For plots in which rates of 0 and 1 are common.
 *
 * Formula: BetaInv(α/2; k+½, n−k+½) to BetaInv(1−α/2; k+½, n−k+½); lower 0 at k = 0, upper 1 at k = n; α = 1 − level.
 * Range: within [0, 1]; both bounds rise with k. Without the two end rules it would not enclose k/n = 0 or 1.
 * Undefined when: n ≤ 0, k outside 0..n, level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Brown, Cai and DasGupta (2001), Statistical Science 16:101-133, section 4.1.1
 * @example
 * jeffreysInterval(0, 10) // => { lower: 0, upper: 0.21719626750921048 }
 */
export function jeffreysInterval(k: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkTrials(k, n);
  checkLevel(level);
  const tail = (1 - level) / 2;
  return {
    lower: k === 0 ? 0 : betaQuantile(tail, k + 0.5, n - k + 0.5),
    upper: k === n ? 1 : betaQuantile(1 - tail, k + 0.5, n - k + 0.5),
  };
}

/**
 * A share of rows with weights, as labels that were drawn with unequal chances.
 *
 * Formula: p = Σw·y/Σw; Wilson's interval at p and n_eff = (Σw)²/Σw².
 * Range: [0, 1].
 * Undefined when: no rows.
 * Differs from the paper: not in the paper.
 * @see Kish (1965), Survey Sampling, §8.2 (effective size)
 * @example
 * weightedProportion(0.5, 10, 40) // => { estimate: 0.5, lower: 0.2365931, upper: 0.7634069, n: 40 }
 */
export function weightedProportion(share: number, effective: number, n: number, level = CONFIDENCE_LEVEL): Estimate {
  if (n === 0) return undefinedEstimate("no rows", 0);
  checkNumber("share", share);
  const estimate = Math.min(1, share);
  const interval = wilsonInterval(estimate * effective, effective, level);
  return { estimate, ...interval, level, method: "weighted Wilson", n };
}
