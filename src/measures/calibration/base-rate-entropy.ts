/**
 * Loss of knowing nothing but the base rate: what any score must beat.
 *
 * Formula: −p ln p − (1 − p) ln(1 − p), p = k/n, in nats.
 * Range: [0, ln 2]; 0 for one class.
 * Undefined when: n = 0: null.
 * Differs from the paper: not in the paper, whose loss of 0.3127 stands beside 0.381 by this measure.
 * @example
 * baseRateEntropy(1, 2) // => 0.6931471805599453
 */
export function baseRateEntropy(k: number, n: number): number | null {
  if (n === 0) return null;
  if (k === 0 || k === n) return 0;
  const p = k / n;
  return -p * Math.log(p) - (1 - p) * Math.log1p(-p);
}
