import type { Audit, Flag } from "../../core/records/audit.js";
import type { Level } from "../../core/records/level.js";
import type { PartialTrace } from "../../core/records/trace.js";
import type { AnswerOutcome, UnscoredCode } from "./extract-sampled.js";
import type { MissingLabelSensitivity } from "./label-confidence.js";
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

/** What one answer says, in the fields of an audit record. Numbers are finite or null. */
export interface SignalResult {
  outcome: "verdict" | "unscored";
  error: { code: UnscoredCode; message: string } | null;
  trace: PartialTrace;
  level: Level | null;
  inverse: boolean | null;
  level_probs: [number, number, number] | null;
  level_map: Level | null;
  lambda_nats: number | null;
  h_weight_bits: number | null;
  h_citation_bits: number | null;
  citation_tokens: number | null;
  citation_spans: [string, number][] | null;
  entropy_support: "top_k" | "vocab" | null;
  inverse_log_odds: number | null;
  inverse_yes_prob: number | null;
  pds: number | null;
  p_defensible: number | null;
  label_mass: { level: number | null; weight: number | null; inverse: number | null } | null;
  tail_mass: number | null;
  logprob_space: Audit["logprob_space"] | null;
  flags: Flag[];
  /** S under three assumptions about labels outside the candidates; present only where they differ by more than 0.01. */
  sensitivity?: MissingLabelSensitivity;
}

/** What an answer's text alone says; every signal is still absent. */
export function verdictOnly(answer: AnswerOutcome, trace: PartialTrace): SignalResult {
  return {
    outcome: answer.outcome,
    error: answer.error,
    trace,
    level: answer.level,
    inverse: answer.inverse,
    level_probs: null,
    level_map: null,
    lambda_nats: null,
    h_weight_bits: null,
    h_citation_bits: null,
    citation_tokens: null,
    citation_spans: null,
    entropy_support: null,
    inverse_log_odds: null,
    inverse_yes_prob: null,
    pds: null,
    p_defensible: null,
    label_mass: null,
    tail_mass: null,
    logprob_space: null,
    flags: [],
  };
}
