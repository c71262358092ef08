import { checkCount, checkTrials } from "../check-arguments.js";
import { logGamma } from "../distributions/log-gamma.js";
import { normalCdf } from "../distributions/normal-cdf.js";

export interface TwoProportionTest {
  /** Two-sided p-value; null when one side is empty. */
  p: number | null;
  method: "score" | "fisher" | null;
  reason?: string;
}

/** Expected count in each of the four cells from which on the normal approximation is used. */
export const LEAST_EXPECTED = 5;

/**
 * Two-sided test that two independent groups have the same rate, k1 of n1 against k2 of n2: exact where a cell is small,
 * by the pooled score otherwise.
 *
 * Formula: score z = (p1 − p2) / √(p(1−p)(1/n1 + 1/n2)), p pooled, p-value 2 Φ(−|z|), when every expected count is at
 * least 5; Fisher otherwise: sum of the hypergeometric probabilities that are not above the observed one (1e-7 slack).
 * Range: (0, 1]; symmetric in the groups and in success and failure. 1 when nobody or everybody succeeds.
 * Undefined when: a group is empty: null with a reason. RangeError when an argument is not a count or k > n.
 * Differs from the paper: not in the paper. Not for paired rows: use `mcnemar`.
 * @see Fisher (1935), Journal of the Royal Statistical Society 98:39-82
 * @example
 * twoProportionTest(8, 10, 1, 6).p // => 0.034965
 */
export function twoProportionTest(k1: number, n1: number, k2: number, n2: number): TwoProportionTest {
  for (const count of [k1, n1, k2, n2]) checkCount("two proportions", count);
  if (n1 === 0 || n2 === 0) return { p: null, method: null, reason: "no rows on one side" };
  checkTrials(k1, n1);
  checkTrials(k2, n2);
  const successes = k1 + k2;
  const rows = n1 + n2;
  if (successes === 0 || successes === rows) return { p: 1, method: "fisher" };
  const least = (Math.min(n1, n2) * Math.min(successes, rows - successes)) / rows;
  if (least < LEAST_EXPECTED) return { p: fisher(k1, n1, successes, rows), method: "fisher" };
  const pooled = successes / rows;
  const z = (k1 / n1 - k2 / n2) / Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2));
  return { p: Math.min(1, 2 * normalCdf(-Math.abs(z))), method: "score" };
}

/** One expected count is below 5, so the sum has few terms that matter; all are taken all the same. */
function fisher(k1: number, n1: number, successes: number, rows: number): number {
  const from = Math.max(0, n1 + successes - rows);
  const to = Math.min(n1, successes);
  const observed = logWeight(k1, n1, successes, rows);
  let total = 0;
  let extreme = 0;
  for (let k = from; k <= to; k += 1) {
    const log = logWeight(k, n1, successes, rows) - observed;
    // Equally probable tables differ in the last digits only; they belong to the extreme ones.
    const weight = Math.exp(log);
    total += weight;
    if (log <= 1e-7) extreme += weight;
  }
  return Math.min(1, extreme / total);
}

/** ln of C(n1, k) C(rows − n1, successes − k), up to a constant. */
function logWeight(k: number, n1: number, successes: number, rows: number): number {
  const missed = successes - k;
  return -(logGamma(k + 1) + logGamma(n1 - k + 1) + logGamma(missed + 1) + logGamma(rows - n1 - missed + 1));
}
