/**
 * The probability vector nearest to a vector: for shares from an inverted matrix, which may be negative.
 *
 * Formula: p_i = max(0, x_i − τ), τ such that Σp = 1: τ = (Σ_{i≤m} x_(i) − 1)/m for the largest m with x_(m) > τ, values in descending order.
 * Range: each in [0, 1], sum 1; a probability vector is unchanged.
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

/**
 * Replaces values in order by the nearest non-decreasing values: the meaning of a score if nothing is assumed but that higher is better.
 *
 * Formula: argmin Σ w_i (y_i − m_i)² over m_1 ≤ m_2 ≤ …, found by pooling adjacent violators: neighbouring blocks in the wrong
 * order are merged to their weighted mean until none is left. O(n).
 * Range: between the least and the greatest y. Returns one value per y; equal neighbours form a block.
 * Undefined when: never; no values give no values. RangeError when a y is not finite, a weight is not positive, or lengths differ.
 * Differs from the paper: not in the paper.
 * @see Ayer, Brunk, Ewing, Reid and Silverman (1955), Annals of Mathematical Statistics 26:641-647
 * @example
 * isotonicRegression([1, 3, 2, 4]) // => [1, 2.5, 2.5, 4]
 */
export function isotonicRegression(y: ArrayLike<number>, weights?: ArrayLike<number>): Float64Array {
  const n = y.length;
  if (weights && weights.length !== n)
    throw new RangeError(`weights: of different length; got ${weights.length}, expected ${n}`);
  // Sums, not means: with counts as weights they are whole numbers, and the order of merging does not change them.
  const sum = new Float64Array(n);
  const weight = new Float64Array(n);
  const end = new Int32Array(n);
  let blocks = 0;
  for (let i = 0; i < n; i += 1) {
    const w = weights ? weights[i]! : 1;
    if (!Number.isFinite(y[i]!)) throw new RangeError(`values: not finite; got ${y[i]} at index ${i}`);
    if (!(w > 0 && w < Number.POSITIVE_INFINITY)) throw new RangeError(`weights: not positive; got ${w} at index ${i}`);
    sum[blocks] = w * y[i]!;
    weight[blocks] = w;
    end[blocks] = i + 1;
    blocks += 1;
    while (blocks > 1 && sum[blocks - 2]! / weight[blocks - 2]! >= sum[blocks - 1]! / weight[blocks - 1]!) {
      blocks -= 1;
      sum[blocks - 1]! += sum[blocks]!;
      weight[blocks - 1]! += weight[blocks]!;
      end[blocks - 1] = end[blocks]!;
    }
  }
  const fitted = new Float64Array(n);
  for (let block = 0, from = 0; block < blocks; block += 1) {
    fitted.fill(sum[block]! / weight[block]!, from, end[block]!);
    from = end[block]!;
  }
  return fitted;
}
