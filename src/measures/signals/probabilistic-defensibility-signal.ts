import type { Weights } from "./weights.js";

/** The parts of S; null where one could not be read. */
export interface SignalComponents {
  lambda_nats: number | null;
  h_weight_bits: number | null;
  h_citation_bits: number | null;
  inverse_yes_prob: number | null;
}

/**
 * The scalar Probabilistic Defensibility Signal S: label confidence, entropy and inverse check in one number.
 *
 * Formula: S = exp(-z), z = α·(-λ) + β·H + γ·σ(ρ), with α + β + γ = 1; H is H[w] or H[κ], as `weights.component` says.
 * Range: (0, 1]; higher is more stable. It is 1 only where λ = H = σ(ρ) = 0.
 * Undefined when: one of its three parts is (null). RangeError when one is NaN.
 * Differs from the paper: nothing in the formula. It is no probability of being defensible, though the paper calls it so: with the
 * paper's weights it cannot fall below 0.343, and a confident level 3 with a low σ(ρ) is near 1. See `p_defensible`.
 * @see paper §4.2 eq. (scalar), Appendix A.3
 * @example probabilisticDefensibilitySignal({ lambda_nats: 0, h_weight_bits: 0, h_citation_bits: null, inverse_yes_prob: 0 }, { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_w" }) // => 1
 */
export function probabilisticDefensibilitySignal(
  components: SignalComponents,
  weights: Pick<Weights, "alpha" | "beta" | "gamma" | "component">,
): number | null {
  const { lambda_nats, inverse_yes_prob } = components;
  const entropy = weights.component === "h_w" ? components.h_weight_bits : components.h_citation_bits;
  if (lambda_nats === null || entropy === null || inverse_yes_prob === null) return null;
  const signal = Math.exp(weights.alpha * lambda_nats - weights.beta * entropy - weights.gamma * inverse_yes_prob);
  if (Number.isNaN(signal)) {
    throw new RangeError(`S: a part is not a number; got ${lambda_nats}, ${entropy}, ${inverse_yes_prob}, or weights`);
  }
  return signal;
}
