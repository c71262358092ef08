import { checkCount } from "../check-arguments.js";
import { incompleteBeta } from "../distributions/incomplete-beta.js";
import { logBeta } from "../distributions/log-gamma.js";

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
 * McNemar's test of two paired yes/no measurements of the same rows: is a change in one direction as frequent as in the
 * other?
 *
 * Formula: X ~ Bin(n, ½), n = b + c, m = min(b, c), f = P(X = m). exact = min(1, 2 P(X ≤ m)); mid-p = P(rarer outcomes)
 * + half of P(equally rare ones), that is 2 P(X ≤ m) − f for b ≠ c and 1 − f/2 for b = c.
 * Range: (0, 1], small values speak against equality; mid_p ≤ exact_p. Symmetric in b and c.
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
