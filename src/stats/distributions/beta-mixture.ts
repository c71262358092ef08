import { checkTrials } from "../check-arguments.js";
import { lowerTail } from "./incomplete-beta.js";

/** A mixture of Beta distributions of a rate: parallel lists, weights with sum 1. */
export interface BetaMixture {
  a: number[];
  b: number[];
  weight: number[];
}

/**
 * Posterior probability that a rate exceeds a limit, after k of n, under a prior that is a mixture of Beta distributions
 * fitted to all cohorts. The weights stay: they are what all cohorts together say, this one included.
 *
 * Formula: Σ_j w_j [1 − I_limit(a_j + k, b_j + n − k)].
 * Range: [0, 1]; rises in k, falls in the limit.
 * Undefined when: k outside 0..n: RangeError. n = 0 gives the prior's own tail.
 * Differs from the paper: not in the paper.
 * @see Efron and Morris (1975), Journal of the American Statistical Association 70:311-319
 * @example
 * posteriorExceeds({ a: [1], b: [1], weight: [1] }, 0, 1, 0.5) // => 0.25
 */
export function posteriorExceeds(prior: BetaMixture, k: number, n: number, limit: number): number {
  if (n !== 0 || k !== 0) checkTrials(k, n);
  if (limit >= 1) return 0;
  if (limit < 0) return 1;
  let sum = 0;
  for (let j = 0; j < prior.a.length; j += 1) {
    sum += prior.weight[j]! * lowerTail(1 - limit, limit, prior.b[j]! + n - k, prior.a[j]! + k);
  }
  return Math.min(1, sum);
}

/**
 * The Beta distribution with mean and variance of the posterior after k of n: the posterior itself when the prior is one
 * Beta, a close approximation for its intervals when the prior is a mixture.
 *
 * Formula: m = Σ w_j m_j, v = Σ w_j (v_j + m_j²) − m²; a = m s, b = (1 − m) s, s = m(1−m)/v − 1.
 * Range: a, b above 0.
 * Undefined when: k outside 0..n: RangeError.
 * Differs from the paper: not in the paper.
 * @see Efron and Morris (1975), Journal of the American Statistical Association 70:311-319
 * @example
 * posteriorBeta({ a: [1], b: [1], weight: [1] }, 1, 3) // => { a: 2, b: 3 }
 */
export function posteriorBeta(prior: BetaMixture, k: number, n: number): { a: number; b: number } {
  if (n !== 0 || k !== 0) checkTrials(k, n);
  if (prior.a.length === 1) return { a: prior.a[0]! + k, b: prior.b[0]! + n - k };
  let mean = 0;
  for (let j = 0; j < prior.a.length; j += 1) {
    mean += (prior.weight[j]! * (prior.a[j]! + k)) / (prior.a[j]! + prior.b[j]! + n);
  }
  let variance = 0;
  for (let j = 0; j < prior.a.length; j += 1) {
    const total = prior.a[j]! + prior.b[j]! + n;
    const own = (prior.a[j]! + k) / total;
    const within = (own * (prior.b[j]! + n - k)) / total / (total + 1);
    variance += prior.weight[j]! * (within + (own - mean) ** 2);
  }
  const size = (mean * (1 - mean)) / variance - 1;
  return { a: mean * size, b: (1 - mean) * size };
}
