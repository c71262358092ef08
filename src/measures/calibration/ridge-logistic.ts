import { lbfgs } from "../../stats/optimise/lbfgs.js";

/**
 * Where fits of mean losses stop. A value of about 0.3 has a rounding error that hides gradients below some 10⁻⁸: asked for more, the search
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
      // e^{−|z|} never overflows; both the loss and the probability follow from it.
      const e = Math.exp(-Math.abs(z));
      const p = z >= 0 ? 1 / (1 + e) : e / (1 + e);
      const w = weight ? weight[i]! : 1;
      part += w * (Math.log1p(e) + (z >= 0 ? (1 - y[i]!) * z : -y[i]! * z));
      // Summed in parts: over 100,000 rows a single sum loses two digits more.
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
