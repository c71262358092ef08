/**
 * Logarithm of a sum of exponentials: adds probabilities that are given as logprobs.
 *
 * Formula: ln Σ exp(v_i) = m + ln Σ exp(v_i − m), m = max v. Taking m out prevents overflow and the loss of all digits
 * below e^−745.
 * Range: at least max v, at most max v + ln k.
 * Undefined when: never; the sum of nothing is 0, so no values give −Infinity. RangeError when a value is NaN.
 * Differs from the paper: not in the paper.
 * @see Blanchard, Higham and Higham (2021), IMA Journal of Numerical Analysis 41:2311-2330
 * @example
 * logSumExp([-1000, -1000]) // => -999.3068528194401
 */
export function logSumExp(values: ArrayLike<number>): number {
  let max = -Infinity;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) throw new RangeError(`values: not a number; got NaN at index ${i}, expected logarithms`);
    if (value > max) max = value;
  }
  if (max === -Infinity || max === Infinity) return max;
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += Math.exp(values[i]! - max);
  return max + Math.log(sum);
}
