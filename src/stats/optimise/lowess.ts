import { quantile, sortedOrder } from "../ranks/sorted-order.js";

export interface LowessOptions {
  /** Share of the rows used for each local line. Default 2/3. */
  share?: number;
  /** How often rows far from the curve are down-weighted. Default 3. */
  rounds?: number;
}

export interface LowessCurve {
  /** The distinct x, ascending. */
  x: number[];
  y: number[];
}

/** If the median residual is below this, residuals are rounding; weights from them would be noise. */
const NO_RESIDUAL = 1e-7;

/**
 * Cleveland's robust local regression (LOWESS): a smooth curve through a cloud of points, to see the shape of a relation.
 *
 * Formula: at each x the line a + b(x_j − x) of least Σ w_j r_j (y_j − a − b(x_j − x))², over the k = ⌊share · n⌋ nearest
 * rows (at least 2), w_j = (1 − (|x_j − x| / h)³)³ with h the distance of the farthest of them; the curve is a. Then
 * `rounds` times: r_j = (1 − (e_j / 6s)²)² for residuals e_j below 6s, else 0, s the median |e|, and the lines again.
 * Where the rows of a line have no spread in x, a is the weighted mean of all rows at that x.
 * Range: within what lines through the points can reach; one value for each distinct x.
 * Undefined when: fewer than 2 rows: an empty curve. RangeError when lengths differ or a value is not finite.
 * Differs from the paper: nothing known; the paper does not name its settings, and these are the usual ones.
 * @see Cleveland (1979), Journal of the American Statistical Association 74:829-836
 * @example
 * lowess([1, 2, 3, 4], [2, 4, 6, 8]).y // => [2, 4, 6, 8]
 */
export function lowess(x: ArrayLike<number>, y: ArrayLike<number>, options: LowessOptions = {}): LowessCurve {
  const { share = 2 / 3, rounds = 3 } = options;
  const n = x.length;
  if (y.length !== n) throw new RangeError(`columns: of different length; got ${n} and ${y.length}, expected the same`);
  for (let i = 0; i < n; i += 1) {
    if (Number.isFinite(x[i]) && Number.isFinite(y[i])) continue;
    throw new RangeError(`values: not finite; got (${x[i]}, ${y[i]}) at index ${i}, expected numbers`);
  }
  if (n < 2) return { x: [], y: [] };
  const order = sortedOrder(Float64Array.from(x));
  const xs = Float64Array.from(order, (row) => x[row]!);
  const ys = Float64Array.from(order, (row) => y[row]!);
  // 1e-10, so that a share meant to give a whole number does.
  const neighbours = Math.min(n, Math.max(2, Math.floor(share * n + 1e-10)));
  const robust = new Float64Array(n).fill(1);
  let curve = fitCurve(xs, ys, robust, neighbours);
  for (let round = 0; round < rounds; round += 1) {
    if (!weighDown(ys, curve, robust)) break;
    curve = fitCurve(xs, ys, robust, neighbours);
  }
  const distinct = [...xs.keys()].filter((i) => i === 0 || xs[i] !== xs[i - 1]);
  return { x: distinct.map((i) => xs[i]!), y: distinct.map((i) => curve[i]!) };
}

/** The curve at every row, rows sorted by x. */
function fitCurve(x: Float64Array, y: Float64Array, robust: Float64Array, neighbours: number): Float64Array {
  const n = x.length;
  const curve = new Float64Array(n);
  let from = 0;
  for (let i = 0; i < n; i += 1) {
    if (i > 0 && x[i] === x[i - 1]) {
      curve[i] = curve[i - 1]!;
      continue;
    }
    while (from + neighbours < n && x[i]! > (x[from]! + x[from + neighbours]!) / 2) from += 1;
    let [first, end] = [from, from + neighbours];
    if (x[first] === x[end - 1]) {
      // If more rows share this x than a line uses, all of them are used: a selection would be arbitrary.
      while (first > 0 && x[first - 1] === x[i]) first -= 1;
      while (end < n && x[end] === x[i]) end += 1;
    }
    curve[i] = localLine(x, y, robust, i, first, end);
  }
  return curve;
}

/** The line through the rows from…to − 1, at the x of row i. */
function localLine(
  x: Float64Array,
  y: Float64Array,
  robust: Float64Array,
  i: number,
  from: number,
  to: number,
): number {
  const at = x[i]!;
  const radius = Math.max(at - x[from]!, x[to - 1]! - at);
  const weight = (j: number) => {
    const distance = radius === 0 ? 0 : Math.abs(x[j]! - at) / radius;
    return distance >= 1 ? 0 : (1 - distance ** 3) ** 3 * robust[j]!;
  };
  let [sum, sumX, sumY, used] = [0, 0, 0, 0];
  for (let j = from; j < to; j += 1) {
    const w = weight(j);
    if (w > 1e-12) used += 1;
    sum += w;
    sumX += w * (x[j]! - at);
    sumY += w * y[j]!;
  }
  // One row does not define a line: use the point itself.
  if (used < 2) return y[i]!;
  const meanX = sumX / sum;
  const meanY = sumY / sum;
  let [squares, products] = [0, 0];
  for (let j = from; j < to; j += 1) {
    const w = weight(j);
    const dx = x[j]! - at - meanX;
    squares += w * dx * dx;
    products += w * dx * (y[j]! - meanY);
  }
  if (squares / sum <= 1e-12 * radius * radius) return meanY;
  return meanY - (products / squares) * meanX;
}

/** Sets bisquare weights from the residuals; false if the residuals are negligible. */
function weighDown(y: Float64Array, curve: Float64Array, robust: Float64Array): boolean {
  const residuals = y.map((value, i) => Math.abs(value - curve[i]!));
  const median = quantile(residuals.slice().sort(), 0.5);
  if (median <= NO_RESIDUAL) return false;
  for (let i = 0; i < y.length; i += 1) {
    const scaled = residuals[i]! / (6 * median);
    robust[i] = scaled >= 1 ? 0 : (1 - scaled ** 2) ** 2;
  }
  return true;
}
