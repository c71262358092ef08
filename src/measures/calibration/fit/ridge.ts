import { lbfgs } from "../../../stats/optimise/minimise.js";

/**
 * Gradient tolerance for fits of mean losses. Rounding of a loss of about 0.3 hides gradients below some 10⁻⁸; with a smaller tolerance the search
 * would try hundreds of steps that it cannot tell apart.
 */
export const GRADIENT_TOLERANCE = 2e-8;

export interface LogisticFit {
  weights: Float64Array;
  bias: number;
  /** Mean NLL + l2/2 ‖w‖², nats. */
  value: number;
  converged: boolean;
}

/**
 * Ridge logistic regression of a yes/no target on the rows of a matrix.
 *
 * Formula: argmin over (w, b) of mean[ln(1 + e^{−s z})] + l2/2 ‖w‖², z = w·x + b, s = ±1 for y = 1, 0; the intercept is not penalised.
 * With weights the mean is Σwℓ/Σw.
 * Range: w and b in logits.
 * Undefined when: there are no rows (RangeError). With both classes and l2 > 0 the optimum is unique and finite.
 * Differs from the paper: not in the paper.
 * @see scikit-learn's LogisticRegression with C = 1 / (n · l2)
 * @example
 * ridgeLogistic(Float64Array.of(-1, -1, 1, 1), 1, Uint8Array.of(0, 1, 0, 1), 0.001).bias // => 0
 */
export function ridgeLogistic(
  matrix: Float64Array,
  d: number,
  y: Uint8Array,
  l2: number,
  weight: Float64Array | null = null,
): LogisticFit {
  const n = y.length;
  const total = weight ? weight.reduce((sum, one) => sum + one, 0) : n;
  if (n === 0) throw new RangeError("rows: none; expected at least one of each class");
  const objective = (at: Float64Array, gradient: Float64Array): number => {
    gradient.fill(0);
    let loss = 0;
    let part = 0;
    for (let i = 0, row = 0; i < n; i += 1, row += d) {
      let z = at[d]!;
      for (let j = 0; j < d; j += 1) z += at[j]! * matrix[row + j]!;
      // e^{−|z|} never overflows; the loss and the probability both follow from it.
      const e = Math.exp(-Math.abs(z));
      const p = z >= 0 ? 1 / (1 + e) : e / (1 + e);
      const w = weight ? weight[i]! : 1;
      part += w * (Math.log1p(e) + (z >= 0 ? (1 - y[i]!) * z : -y[i]! * z));
      // Summed in parts: over 100,000 rows a single sum loses two more digits.
      if ((i & 511) === 511) {
        loss += part;
        part = 0;
      }
      const residual = w * (p - y[i]!);
      for (let j = 0; j < d; j += 1) gradient[j]! += residual * matrix[row + j]!;
      gradient[d]! += residual;
    }
    let penalty = 0;
    for (let j = 0; j <= d; j += 1) gradient[j]! /= total;
    for (let j = 0; j < d; j += 1) {
      penalty += at[j]! ** 2;
      gradient[j]! += l2 * at[j]!;
    }
    return (loss + part) / total + (l2 / 2) * penalty;
  };
  const fit = lbfgs(objective, new Float64Array(d + 1), { tolerance: GRADIENT_TOLERANCE });
  return { weights: fit.x.slice(0, d), bias: fit.x[d]!, value: fit.value, converged: fit.converged };
}

/** Below this, a column varies only by rounding, whatever its unit. */
const NO_SPREAD = 1e-9;

/**
 * Shifts and scales each column of a matrix (row by row) to mean 0 and standard deviation 1, in place, so that one ridge penalty means the same for
 * every feature. The standard deviation divides by n: doubling every row changes nothing. With weights both are weighted. A column that does not
 * vary becomes 0, with sd 0.
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

export interface SoftmaxFit {
  /** One row of weights per level. The weights of each feature sum to 0 over the levels. */
  weights: Float64Array[];
  bias: number[];
  /** Mean NLL + l2/2 ‖W‖², nats. */
  value: number;
  converged: boolean;
}

/**
 * Ridge multinomial logistic regression of the three levels on the rows of a matrix.
 *
 * Formula: argmin over (W, b) of mean[ln Σ_k e^{z_k} − z_level] + l2/2 ‖W‖², z_k = w_k·x + b_k; intercepts are not penalised. Only the differences
 * between intercepts matter, so they are returned with sum 0, as the penalty makes the weights. With weights the mean is Σwℓ/Σw.
 * Range: W and b in logits.
 * Undefined when: there are no rows (RangeError). With all three levels and l2 > 0 the optimum is unique and finite.
 * Differs from the paper: not in the paper.
 * @see scikit-learn's LogisticRegression(multi_class="multinomial") with C = 1 / (n · l2)
 */
export function ridgeSoftmax(
  matrix: Float64Array,
  d: number,
  level: Uint8Array,
  l2: number,
  weight: Float64Array | null = null,
): SoftmaxFit {
  const n = level.length;
  const sum = weight ? weight.reduce((all, one) => all + one, 0) : n;
  if (n === 0) throw new RangeError("rows: none; expected at least one of each level");
  const width = d + 1;
  const [second, third] = [width, 2 * width];
  // The three levels are unrolled: an inner loop over them takes more than twice the time.
  const objective = (at: Float64Array, gradient: Float64Array): number => {
    gradient.fill(0);
    let loss = 0;
    let part = 0;
    for (let i = 0, row = 0; i < n; i += 1, row += d) {
      let z1 = at[d]!;
      let z2 = at[second + d]!;
      let z3 = at[third + d]!;
      for (let j = 0; j < d; j += 1) {
        const x = matrix[row + j]!;
        z1 += at[j]! * x;
        z2 += at[second + j]! * x;
        z3 += at[third + j]! * x;
      }
      const most = z1 > z2 ? (z1 > z3 ? z1 : z3) : z2 > z3 ? z2 : z3;
      let r1 = Math.exp(z1 - most);
      let r2 = Math.exp(z2 - most);
      let r3 = Math.exp(z3 - most);
      const total = r1 + r2 + r3;
      const target = level[i]!;
      const w = weight ? weight[i]! : 1;
      part += w * (Math.log(total) + most - (target === 1 ? z1 : target === 2 ? z2 : z3));
      // Summed in parts: over 100,000 rows a single sum loses two more digits.
      if ((i & 511) === 511) {
        loss += part;
        part = 0;
      }
      r1 = w * (r1 / total - (target === 1 ? 1 : 0));
      r2 = w * (r2 / total - (target === 2 ? 1 : 0));
      r3 = w * (r3 / total - (target === 3 ? 1 : 0));
      for (let j = 0; j < d; j += 1) {
        const x = matrix[row + j]!;
        gradient[j]! += r1 * x;
        gradient[second + j]! += r2 * x;
        gradient[third + j]! += r3 * x;
      }
      gradient[d]! += r1;
      gradient[second + d]! += r2;
      gradient[third + d]! += r3;
    }
    let penalty = 0;
    for (let j = 0; j < 3 * width; j += 1) {
      gradient[j]! /= sum;
      if (j % width === d) continue;
      penalty += at[j]! ** 2;
      gradient[j]! += l2 * at[j]!;
    }
    return (loss + part) / sum + (l2 / 2) * penalty;
  };
  const fit = lbfgs(objective, new Float64Array(3 * width), { tolerance: GRADIENT_TOLERANCE });
  const rows = [0, 1, 2].map((k) => fit.x.slice(k * width, k * width + d));
  const intercepts = [0, 1, 2].map((k) => fit.x[k * width + d]!);
  const centre = (intercepts[0]! + intercepts[1]! + intercepts[2]!) / 3;
  return { weights: rows, bias: intercepts.map((b) => b - centre), value: fit.value, converged: fit.converged };
}
