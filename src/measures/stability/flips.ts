/**
 * How often two audits of the same case disagree: the chance that the next reader gets another level.
 *
 * Formula: 1 − Σ n_l (n_l − 1) / (K (K − 1)), the share of pairs of replicates with different levels. With level 3 against
 * the rest as two classes it is the rate of flips across the boundary.
 * Range: [0, 2/3 · K/(K−1)] for three levels; 0 when all are equal.
 * Undefined when: K < 2: null.
 * Differs from the paper: the paper calls the share of boundary-unstable cases a flip rate; this is one of a case.
 * @see Simpson (1949), Nature 163:688
 * @example
 * flipRate([2, 2, 0]) // => 0.6666667
 */
export function flipRate(counts: readonly number[]): number | null {
  const k = counts.reduce((sum, count) => sum + count, 0);
  if (k < 2) return null;
  return 1 - counts.reduce((sum, count) => sum + count * (count - 1), 0) / (k * (k - 1));
}
