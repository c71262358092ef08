import { lbfgs } from "../../../stats/optimise/lbfgs.js";
import type { PaperRows } from "./design.js";
import { paperLoss } from "./loss.js";

export interface PaperSoftmaxFit {
  weights: Float64Array;
  loss: number;
  /** Where the search ended; (1, 1, 1) can be added without effect. */
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
 * Differs from the paper: plain L-BFGS for L-BFGS-B, the same without bounds. L is not convex in u, but from u = 0 every
 * point where the search can rest inside is the optimum. An optimum with a weight of 0 lies at u = −∞: the search stops
 * short of it, where the tolerance says, so compare with `fitSimplex`.
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
