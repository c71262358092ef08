import type { MissingMode } from "./label-distribution.js";

/** Probabilities are clipped to this inside logarithms only, so that a certain Yes has log-odds of 27.6 instead of infinity. */
export const LOG_CLIP = 1e-12;

export interface InverseLogOdds {
  /** ρ in nats; null where it is infinite (mode `paper`). */
  log_odds: number | null;
  /** σ(ρ) = P(Yes). */
  yes_prob: number;
}

/**
 * Inverse-check log-odds ρ: how far the auditor held the opposite decision to be defensible too. S uses it as σ(ρ).
 *
 * Formula: ρ = ln P(Yes) - ln P(No); σ(ρ) = P(Yes) / (P(Yes) + P(No)).
 * Range: ρ in nats, higher means the opposite is likelier to be defensible; σ(ρ) in [0, 1].
 * Undefined when: one of the two has no probability and `missing` is `paper`: ρ is null, σ(ρ) is 1 or 0.
 * Differs from the paper: in mode `floor` ρ is finite: probabilities are clipped at 1e-12 inside the logarithm.
 * @see paper §4.2, Appendix A.2
 * @example inverseLogOdds([0.5, 0.5]).log_odds // => 0
 * @example inverseLogOdds([0.25, 0.75]).yes_prob // => 0.25
 */
export function inverseLogOdds(probs: readonly number[], missing: MissingMode = "floor"): InverseLogOdds {
  const yes = probs[0]!;
  const no = probs[1]!;
  const yes_prob = yes / (yes + no);
  if (missing === "paper") return { log_odds: yes === 0 || no === 0 ? null : Math.log(yes) - Math.log(no), yes_prob };
  return { log_odds: Math.log(Math.max(yes, LOG_CLIP)) - Math.log(Math.max(no, LOG_CLIP)), yes_prob };
}
