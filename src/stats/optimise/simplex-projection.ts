/**
 * The probability vector nearest to a vector: for shares that come out of an inverted matrix and may be negative.
 *
 * Formula: p_i = max(0, x_i − τ), τ such that Σp = 1: τ = (Σ_{i≤m} x_(i) − 1)/m for the largest m with x_(m) > τ, values
 * in descending order.
 * Range: each in [0, 1], sum 1; a probability vector stays as it is.
 * Undefined when: no values, or one is not finite: RangeError.
 * Differs from the paper: not in the paper.
 * @see Duchi, Shalev-Shwartz, Singer and Chandra (2008), ICML, figure 1
 * @example
 * simplexProjection([0.6, 0.5, -0.1]) // => [0.55, 0.45, 0]
 */
export function simplexProjection(values: readonly number[]): number[] {
  if (values.length === 0 || values.some((value) => !Number.isFinite(value))) {
    throw new RangeError(`values: cannot be projected; got [${values.join(", ")}], expected finite numbers`);
  }
  const sorted = [...values].sort((a, b) => b - a);
  let sum = 0;
  let threshold = 0;
  sorted.forEach((value, index) => {
    sum += value;
    const candidate = (sum - 1) / (index + 1);
    if (value > candidate) threshold = candidate;
  });
  return values.map((value) => Math.max(0, value - threshold));
}
