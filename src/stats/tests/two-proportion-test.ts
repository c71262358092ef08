import { checkCount, checkTrials } from "../check-arguments.js";
import { incompleteBeta } from "../distributions/incomplete-beta.js";
import { normalCdf, normalQuantile } from "../distributions/normal.js";
import { logBeta, logGamma } from "../distributions/special-functions.js";

export interface TwoProportionTest {
  /** Two-sided p-value; null when one side is empty. */
  p: number | null;
  method: "score" | "fisher" | null;
  reason?: string;
}

/** With at least this expected count in each of the four cells, the normal approximation is used. */
export const LEAST_EXPECTED = 5;

/**
 * Two-sided test that two independent groups have the same rate, k1 of n1 against k2 of n2: exact if a cell is small,
 * otherwise by the pooled score.
 *
 * Formula: score z = (p1 − p2) / √(p(1−p)(1/n1 + 1/n2)), p pooled, p-value 2 Φ(−|z|), when every expected count is at
 * least 5; Fisher otherwise: sum of the hypergeometric probabilities that are not above the observed one (1e-7 slack).
 * Range: (0, 1]; symmetric in the groups and in success and failure. 1 when all rows succeed or all fail.
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

/** One expected count is below 5, so few terms of the sum matter; all are computed anyway. */
function fisher(k1: number, n1: number, successes: number, rows: number): number {
  const from = Math.max(0, n1 + successes - rows);
  const to = Math.min(n1, successes);
  const observed = logWeight(k1, n1, successes, rows);
  let total = 0;
  let extreme = 0;
  for (let k = from; k <= to; k += 1) {
    const log = logWeight(k, n1, successes, rows) - observed;
    // Equally probable tables differ only in the last digits; they count as extreme.
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

/** Whether two studies found the same. */
export type StudyVerdict = "same" | "different" | "undecided";

/**
 * Compares a number of two independent studies.
 *
 * Formula: d = θ₁ − θ₂, Var d = Var θ₁ + Var θ₂; for asymmetric intervals `below` = ((θ₁ − l₁)² + (u₂ − θ₂)²)/z² and `above` =
 * ((u₁ − θ₁)² + (θ₂ − l₂)²)/z², with d ranging from d − z√below to d + z√above. *Same* if the 90% interval of d lies within ±margin (two
 * one-sided tests at 5%), even if a tiny difference is significant; *different* if the 95% interval excludes 0; otherwise *undecided*. Unlike
 * "θ₂ lies in the interval of θ₁", a less precise study does not agree more often: it is undecided more often.
 * Range: one of three words.
 * Undefined when: an argument is not finite, or a variance or the margin is negative: RangeError.
 * Differs from the paper: not in the paper.
 * @see Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15:657-680; Zou and Donner (2008), Statistics in Medicine 27:1693-1702
 * @example
 * compareStudies({ difference: 0.001, variance: 1e-6, margin: 0.02 }) // => "same"
 */
export function compareStudies(study: {
  difference: number;
  variance: number | { below: number; above: number };
  margin: number;
}): StudyVerdict {
  const { difference, variance, margin } = study;
  const { below, above } = typeof variance === "number" ? { below: variance, above: variance } : variance;
  if (!Number.isFinite(difference)) throw new RangeError(`difference: not a number; got ${difference}`);
  for (const one of [below, above]) {
    if (!(one >= 0 && one < Infinity)) throw new RangeError(`variance: got ${one}, expected 0 or more`);
  }
  if (!(margin >= 0 && margin < Infinity)) throw new RangeError(`margin: got ${margin}, expected 0 or more`);
  const [down, up] = [Math.sqrt(below), Math.sqrt(above)];
  const z = normalQuantile(0.95);
  if (difference + z * up <= margin && z * down - difference <= margin) return "same";
  const wide = normalQuantile(0.975);
  return difference > wide * down || -difference > wide * up ? "different" : "undecided";
}

export interface McNemarTest {
  /** Two-sided exact p-value; null when there is no discordant pair. */
  exact_p: number | null;
  /** Two-sided mid-p value: closer to its level than the exact one, which is conservative. */
  mid_p: number | null;
  /** Discordant pairs. */
  n: number;
  reason?: string;
}

/**
 * McNemar's test of two paired yes/no measurements of the same rows: is a change in one direction as frequent as in the other?
 *
 * Formula: X ~ Bin(n, ½), n = b + c, m = min(b, c), f = P(X = m). exact = min(1, 2 P(X ≤ m)); mid-p = P(rarer outcomes)
 * + half of P(equally rare ones), that is 2 P(X ≤ m) − f for b ≠ c and 1 − f/2 for b = c.
 * Range: (0, 1], small values are evidence against equality; mid_p ≤ exact_p. Symmetric in b and c.
 * Undefined when: b + c = 0: both null with a reason. RangeError when b or c is not a count.
 * Differs from the paper: the paper compares paired conditions by their margins only.
 * @see Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13:91
 * @example
 * mcnemar(2, 2) // => { exact_p: 1, mid_p: 0.8125, n: 4 }
 */
export function mcnemar(b: number, c: number): McNemarTest {
  checkCount("discordant pairs", b);
  checkCount("discordant pairs", c);
  const n = b + c;
  if (n === 0) return { exact_p: null, mid_p: null, n, reason: "no discordant pairs" };
  const m = Math.min(b, c);
  // n choose m = 1 / ((n+1) B(m+1, n−m+1))
  const pointProbability = Math.exp(-n * Math.LN2 - Math.log(n + 1) - logBeta(m + 1, n - m + 1));
  if (b === c) return { exact_p: 1, mid_p: 1 - pointProbability / 2, n };
  const exact = 2 * incompleteBeta(0.5, n - m, m + 1);
  return { exact_p: Math.min(1, exact), mid_p: Math.min(1, exact) - pointProbability, n };
}
