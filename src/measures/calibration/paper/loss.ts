import { lbfgs } from "../../../stats/optimise/minimise.js";
import type { PaperRows } from "./design.js";

/**
 * Added to z: without it, one indefensible row with z = 0 would make the loss infinite for any weights. The fit depends on it, so it is part of the
 * method. It is added rather than used as a lower limit because max(z, ε) is not convex.
 */
export const PAPER_LOSS_EPSILON = 1e-6;

/** Output buffers of a pass over the rows. `hessian` is symmetric: aa, ab, ac, bb, bc, cc. */
interface PaperDerivatives {
  gradient: Float64Array;
  hessian?: Float64Array;
}

/**
 * Loss of weights w for the paper's S: mean binary cross-entropy between S and "defensible", in nats per row.
 *
 * Formula: L(w) = mean[y z − (1 − y) ln(1 − e^{−z})], z = w·x + ε, x = (−λ, H, σ(ρ)), ε = 10⁻⁶. ∂L/∂w = mean[(y − (1 − y)/(e^z − 1)) x], ∂²L/∂w² =
 * mean[(1 − y) e^z/(e^z − 1)² x xᵀ]: convex in w.
 * Rows with weights: the means are Σw·/Σw.
 * Range: [0, ∞), lower is better; compare with the base-rate entropy, the loss of a constant. Finite because of ε.
 * Undefined when: there are no rows (RangeError).
 * Differs from the paper: ε is not in the paper, which does not say how it treats S = 1 with y = 0.
 * @see paper §4.3 and Appendix A.3, eq. (MLE)
 * @example
 * paperLoss({ n: 2, ones: 1, sumOfOnes: [0.5, 0, 0], zeros: [1, 0, 0] }, [1, 0, 0]) // => 0.4793378
 */
export function paperLoss(rows: PaperRows, weights: ArrayLike<number>, derivatives?: PaperDerivatives): number {
  const { n, ones, sumOfOnes, zeros, zeroWeights } = rows;
  if (!(n > 0)) throw new RangeError(`loss: no rows; got n = ${n}, expected at least one`);
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const curved = derivatives?.hessian !== undefined;
  let loss = 0;
  let product = 1;
  let g0 = 0;
  let g1 = 0;
  let g2 = 0;
  let aa = 0;
  let ab = 0;
  let ac = 0;
  let bb = 0;
  let bc = 0;
  let cc = 0;
  for (let i = 0; i < zeros.length; i += 3) {
    const a = zeros[i]!;
    const b = zeros[i + 1]!;
    const c = zeros[i + 2]!;
    // 1 − S, without the cancellation of 1 − exp(−z) at small z.
    const rest = -Math.expm1(-(w0 * a + w1 * b + w2 * c + PAPER_LOSS_EPSILON));
    const inverse = 1 / rest;
    let odds = inverse - 1;
    if (zeroWeights) {
      const w = zeroWeights[i / 3]!;
      loss -= w * Math.log(rest);
      odds *= w;
    } else {
      // One logarithm for many rows. A factor is no smaller than ε, so the product cannot underflow between two checks.
      product *= rest;
      if (product < 1e-200) {
        loss -= Math.log(product);
        product = 1;
      }
    }
    g0 -= odds * a;
    g1 -= odds * b;
    g2 -= odds * c;
    if (curved) {
      const curvature = odds * inverse;
      const ca = curvature * a;
      const cb = curvature * b;
      aa += ca * a;
      ab += ca * b;
      ac += ca * c;
      bb += cb * b;
      bc += cb * c;
      cc += curvature * c * c;
    }
  }
  loss -= Math.log(product);
  const s0 = sumOfOnes[0]!;
  const s1 = sumOfOnes[1]!;
  const s2 = sumOfOnes[2]!;
  if (derivatives !== undefined) {
    derivatives.gradient.set([(s0 + g0) / n, (s1 + g1) / n, (s2 + g2) / n]);
    derivatives.hessian?.set([aa / n, ab / n, ac / n, bb / n, bc / n, cc / n]);
  }
  return (loss + w0 * s0 + w1 * s1 + w2 * s2 + ones * PAPER_LOSS_EPSILON) / n;
}

export interface PaperSoftmaxFit {
  weights: Float64Array;
  loss: number;
  /** Where the search ended. Adding a multiple of (1, 1, 1) has no effect. */
  u: Float64Array;
  iterations: number;
  converged: boolean;
}

/** Largest entry of ∂L/∂u at which the search stops. */
const SOFTMAX_TOLERANCE = 1e-8;

/**
 * Weights (α, β, γ) of S as the paper fits them: softmax of an unconstrained u, L-BFGS from u = 0.
 *
 * Formula: min over u ∈ ℝ³ of L(softmax(u)); ∂L/∂u_j = w_j (g_j − Σ w g), g = ∂L/∂w.
 * Range: weights in (0, 1) that sum to 1.
 * Undefined when: no rows (RangeError).
 * Differs from the paper: plain L-BFGS instead of L-BFGS-B, which is the same without bounds. L is not convex in u, but from u = 0 every interior
 * point where the search can stop is the optimum. An optimum with a weight of 0 is at u = −∞: the search stops short of it, depending on the
 * tolerance, so compare with `fitSimplex`.
 * @see paper §4.3 and Appendix A.3
 * @example
 * fitSoftmax({ n: 2, ones: 1, sumOfOnes: [0, 0, 0], zeros: [0, 0, 0] }).weights // => [0.3333333, 0.3333333, 0.3333333]
 */
export function fitSoftmax(rows: PaperRows): PaperSoftmaxFit {
  const gradient = new Float64Array(3);
  const found = lbfgs(
    (u, slope) => {
      const w = softmax(u);
      const loss = paperLoss(rows, w, { gradient });
      const level = w[0]! * gradient[0]! + w[1]! * gradient[1]! + w[2]! * gradient[2]!;
      for (let j = 0; j < 3; j += 1) slope[j] = w[j]! * (gradient[j]! - level);
      return loss;
    },
    [0, 0, 0],
    { tolerance: SOFTMAX_TOLERANCE },
  );
  const { x: u, value: loss, iterations, converged } = found;
  return { weights: softmax(u), loss, u, iterations, converged };
}

function softmax(u: Float64Array): Float64Array {
  const most = Math.max(u[0]!, u[1]!, u[2]!);
  const raised = u.map((entry) => Math.exp(entry - most));
  const sum = raised[0]! + raised[1]! + raised[2]!;
  return raised.map((entry) => entry / sum);
}
