/**
 * The largest Spearman correlation that any column without ties can have with a column of zeros and ones: a correlation with a yes-or-no
 * partner must be read against it, not against 1.
 *
 * Formula: √(3 p (1 − p)), p the share of ones; then ρ / bound = 2 AUC − 1.
 * Range: [0, 0.866]; greatest at p = ½. It is the limit for many rows; n rows allow n / √(n² − 1) times as much.
 * Undefined when: p is outside [0, 1]: RangeError. At 0 and 1 it is 0: the partner is constant.
 * Differs from the paper: the paper prints ρ = 0.59 beside a bound of 0.72 without naming it.
 * @see paper §5.4, Table sigma_rho; Cureton (1956), Psychometrika 21:287-290
 * @example
 * binarySpearmanBound(0.222) // => 0.7198
 */
export function binarySpearmanBound(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`share: outside its domain; got ${p}, expected 0 to 1`);
  return Math.sqrt(3 * p * (1 - p));
}
