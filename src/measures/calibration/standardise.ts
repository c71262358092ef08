/** Below this a column does not vary beyond rounding, whatever its unit. */
const NO_SPREAD = 1e-9;

/**
 * Shifts and scales each column of a matrix (rows one after another) to mean 0 and standard deviation 1, in place, so that one ridge penalty
 * means the same for every feature. The standard deviation divides by n: doubling every row changes nothing.
 * With weights both are weighted. A column without spread becomes 0, with sd 0.
 */
export function standardise(
  matrix: Float64Array,
  d: number,
  weight: Float64Array | null = null,
): { mean: number[]; sd: number[] } {
  const n = d === 0 ? 0 : matrix.length / d;
  const total = weight ? weight.reduce((sum, one) => sum + one, 0) : n;
  const mean = new Array<number>(d).fill(0);
  const sd = new Array<number>(d).fill(0);
  for (let j = 0; j < d; j += 1) {
    let sum = 0;
    for (let at = j, i = 0; at < matrix.length; at += d, i += 1) sum += (weight ? weight[i]! : 1) * matrix[at]!;
    const centre = sum / total;
    let squares = 0;
    for (let at = j, i = 0; at < matrix.length; at += d, i += 1)
      squares += (weight ? weight[i]! : 1) * (matrix[at]! - centre) ** 2;
    const spread = Math.sqrt(squares / total);
    const varies = spread > NO_SPREAD * Math.max(1, Math.abs(centre));
    mean[j] = centre;
    sd[j] = varies ? spread : 0;
    for (let at = j; at < matrix.length; at += d) matrix[at] = varies ? (matrix[at]! - centre) / spread : 0;
  }
  return { mean, sd };
}
