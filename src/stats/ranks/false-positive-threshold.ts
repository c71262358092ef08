import { checkLevel } from "../check-arguments.js";

export interface FalsePositiveThreshold {
  /** A score strictly above it is flagged; null: no score is, however high. */
  threshold: number | null;
  /** Negative rows it was chosen on. */
  n: number;
  /** Share of these rows that it flags. */
  rate: number | null;
  reason?: string;
}

/**
 * The threshold above which a score flags at most a given share of harmless rows, chosen on some of them and valid for others of their kind:
 * for detectors whose false alarms are limited before their hits are counted.
 *
 * Formula: x is flagged iff (1 + #{c_i ≥ x}) / (n + 1) ≤ a, c the scores of n harmless rows: the conformal p-value of x. That is x > τ, τ the k-th
 * largest c, k = ⌊a (n + 1)⌋.
 * Range: a value among c. The chance that a further harmless row is flagged is at most a, over the draw of both; ties make it smaller.
 * Undefined when: n + 1 < 1/a: then no score is surely rare enough, threshold null with a reason. RangeError when a is outside (0, 1) or a score is
 * NaN.
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
  // A share of 0.05 of 20 is 1, also where the product falls short in its last digit.
  const allowed = Math.floor(share * (n + 1) + 1e-9);
  if (allowed < 1) {
    const needed = Math.ceil(1 / share - 1 - 1e-9);
    return { threshold: null, n, rate: null, reason: `${n} rows are too few: ${needed} are needed for this share` };
  }
  // Flagged are scores above τ: at most allowed − 1 of the rows themselves.
  const threshold = sorted[n - allowed]!;
  let above = 0;
  while (above < n && sorted[n - 1 - above]! > threshold) above += 1;
  return { threshold, n, rate: above / n };
}
