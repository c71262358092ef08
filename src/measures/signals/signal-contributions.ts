import type { SignalComponents } from "./probabilistic-defensibility-signal.js";
import type { Weights } from "./weights.js";

/** What one part of S takes away from ln S = 0, which nothing less than certainty in all three parts reaches. */
export interface SignalContribution {
  part: "label_confidence" | "entropy" | "inverse_check";
  weight: number;
  /** λ in nats, H in bits, σ(ρ) as a probability. */
  value: number;
  /** What it adds to ln S; never above 0. */
  nats: number;
}

/**
 * What each part of one decision's S contributed to it: S is a product, so its logarithm is a sum, and the three terms add up to ln S.
 *
 * Formula: ln S = α·λ + (−β·H) + (−γ·σ(ρ)); the terms in this order. H is H[w] or H[κ], as `weights.component` says.
 * Range: nats, each term (−∞, 0]; nearer to 0 means that the part lowers S less.
 * Undefined when: one of the three parts is (null).
 * Differs from the paper: the paper reads the weights alone as contributions; a weight says nothing of a part that is 0.
 * @see paper §4.2 eq. (scalar), §4.3
 * @example signalContributions({ lambda_nats: -0.5, h_weight_bits: 1, h_citation_bits: null, inverse_yes_prob: 0.5 }, { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_w" }) // => [{ nats: -0.3 }, { nats: -0.1 }, { nats: -0.15 }]
 */
export function signalContributions(
  components: SignalComponents,
  weights: Pick<Weights, "alpha" | "beta" | "gamma" | "component">,
): [SignalContribution, SignalContribution, SignalContribution] | null {
  const { lambda_nats, inverse_yes_prob } = components;
  const entropy = weights.component === "h_w" ? components.h_weight_bits : components.h_citation_bits;
  if (lambda_nats === null || entropy === null || inverse_yes_prob === null) return null;
  const { alpha, beta, gamma } = weights;
  return [
    { part: "label_confidence", weight: alpha, value: lambda_nats, nats: alpha * lambda_nats },
    // 0 − x: no negative zero where a part is 0.
    { part: "entropy", weight: beta, value: entropy, nats: 0 - beta * entropy },
    { part: "inverse_check", weight: gamma, value: inverse_yes_prob, nats: 0 - gamma * inverse_yes_prob },
  ];
}
