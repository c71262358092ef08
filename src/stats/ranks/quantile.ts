import { checkNumber } from "../check-arguments.js";

/**
 * Quantile of finite values sorted in ascending order, with linear interpolation (type 7, the default of numpy, R and
 * DuckDB's `quantile_cont`).
 *
 * Formula: h = (n−1)p; x_⌊h⌋ + (h − ⌊h⌋)(x_⌊h⌋+1 − x_⌊h⌋), counted from 0.
 * Range: between the smallest and the largest value; rises in p.
 * Undefined when: no values, or p outside [0, 1]: RangeError (the caller knows both).
 * Differs from the paper: not in the paper.
 * @see Hyndman and Fan (1996), The American Statistician 50:361-365
 * @example
 * quantile([1, 2, 4, 8], 0.5) // => 3
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError("quantile: no values; got 0, expected at least one");
  if (!(p >= 0 && p <= 1)) throw new RangeError(`quantile: outside its domain; got p = ${p}, expected 0 to 1`);
  checkNumber("p", p);
  const position = (sorted.length - 1) * p;
  const index = Math.floor(position);
  const fraction = position - index;
  const low = sorted[index]!;
  checkNumber("quantile", low);
  return fraction === 0 ? low : low + fraction * (sorted[index + 1]! - low);
}
