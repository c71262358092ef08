/** Statistics of a bootstrap draw: weights say how often each case came up, NaN is a case without the value. */

export function weightedMean(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  keep?: ArrayLike<number>,
): number | null {
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i += 1) {
    if (keep && keep[i] === 0) continue;
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    sum += weights[i]! * value;
    total += weights[i]!;
  }
  return total === 0 ? null : sum / total;
}

/** What is left of a sum of products by rounding alone, as a part of the sum of their sizes. */
const DUST = 1e-12;

/** Slope of the least-squares line through (x, y), exactly 0 where y does not vary; null where a y is, or x does not vary. */
export function slope(x: readonly number[], y: readonly (number | null)[]): number | null {
  if (y.some((value) => value === null)) return null;
  const meanX = x.reduce((sum, value) => sum + value, 0) / x.length;
  let [squares, products, sizes] = [0, 0, 0];
  x.forEach((value, i) => {
    squares += (value - meanX) ** 2;
    products += (value - meanX) * y[i]!;
    sizes += Math.abs((value - meanX) * y[i]!);
  });
  if (squares < 1e-12) return null;
  // Whether a draw lies above or below "no slope" is counted, so dust must not have a sign.
  return Math.abs(products) <= DUST * sizes ? 0 : products / squares;
}

/** A quotient where there is one. */
export function ratio(numerator: number | null, denominator: number | null): number | null {
  return numerator === null || denominator === null || denominator === 0 ? null : numerator / denominator;
}
