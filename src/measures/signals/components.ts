import type { Level } from "../../core/records/level.js";
import { fillMissing, type LabelDistribution, type MissingMode } from "./label-distribution.js";
import type { Weights } from "./weights.js";

/** Probabilities closer than this are a tie, since sums of exponentials differ in their last digits. */
const TIE = 1e-12;

export interface LabelConfidence {
  /** ξ*, the most probable level. */
  level: Level;
  /** λ = ln p(ξ*). */
  lambda_nats: number;
  tie: boolean;
}

/**
 * Label log-confidence λ: how strongly the auditor was committed to one level when it wrote the level.
 *
 * Formula: ξ* = argmax p(l); λ = ln p(ξ*).
 * Range: nats, [-ln 3, 0]; higher is more committed, for any level.
 * Undefined when: there is no level distribution (the caller passes none). RangeError when a value is not a probability.
 * Differs from the paper: a tie goes to the most severe level and is reported; the paper's `max` takes the first.
 * @see paper §4.2, Appendix B "ξ* MAP implementation"
 * @example labelConfidence([0.25, 0.25, 0.5]).level // => 3
 * @example labelConfidence([0, 1, 0]).lambda_nats // => 0
 */
export function labelConfidence(probs: readonly number[]): LabelConfidence {
  for (let i = 0; i < probs.length; i++) {
    if (typeof probs[i] !== "number" || !(probs[i]! >= 0 && probs[i]! <= 1 + 1e-9)) {
      throw new RangeError(`level ${i + 1}: not a probability; got ${String(probs[i])}, expected 0 to 1`);
    }
  }
  let best = 0;
  for (let i = 1; i < probs.length; i++) if (probs[i]! >= probs[best]! - TIE) best = i;
  let tie = false;
  for (let i = 0; i < best; i++) if (probs[i]! >= probs[best]! - TIE) tie = true;
  return { level: (best + 1) as Level, lambda_nats: Math.min(0, Math.log(probs[best]!)), tie };
}

/** S if each label outside the candidates had zero probability, the floor, or all of the unlisted probability. */
export interface MissingLabelSensitivity {
  absent_zero: number;
  floor: number;
  bound: number;
}

/** Differences in S above this are reported. */
export const SENSITIVITY_REPORTED = 0.01;

type Labels = Record<"level" | "weight" | "inverse", LabelDistribution | null>;

/** How much S depends on the assumption about labels that are not among the candidates; null if it does not, or if S is undefined. */
export function missingLabelSensitivity(
  labels: Labels,
  citationBits: number | null,
  weights: Weights,
): MissingLabelSensitivity | null {
  if (!labels.level?.censored && !labels.weight?.censored && !labels.inverse?.censored) return null;
  const absent_zero = signalWith(labels, citationBits, weights, () => 0);
  const floor = signalWith(labels, citationBits, weights, (label) => label.floor);
  const bound = signalWith(labels, citationBits, weights, (label) => label.bound);
  if (absent_zero === null || floor === null || bound === null) return null;
  const spread = Math.max(absent_zero, floor, bound) - Math.min(absent_zero, floor, bound);
  return spread > SENSITIVITY_REPORTED ? { absent_zero, floor, bound } : null;
}

function signalWith(
  labels: Labels,
  citationBits: number | null,
  weights: Weights,
  fill: (label: LabelDistribution) => number,
): number | null {
  const probs = (label: LabelDistribution | null) => label && fillMissing(label.masses, fill(label));
  const level = probs(labels.level);
  const weight = probs(labels.weight);
  const inverse = probs(labels.inverse);
  return probabilisticDefensibilitySignal(
    {
      lambda_nats: level && labelConfidence(level).lambda_nats,
      h_weight_bits: weight && weightEntropy(weight),
      h_citation_bits: citationBits,
      inverse_yes_prob: inverse && inverseLogOdds(inverse).yes_prob,
    },
    weights,
  );
}

/**
 * Precedent weight entropy H[w]: how undecided the auditor was between High, Medium and Low precedent weight. A one-token proxy of the citation
 * entropy.
 *
 * Formula: H[w] = -Σ p(w) log2 p(w), with 0 · log 0 = 0.
 * Range: bits, [0, log2 3 = 1.585]; higher is less certain.
 * Undefined when: there is no weight distribution (the caller passes none).
 * Differs from the paper: nothing. Terms are added from the largest probability down, so that the same probabilities in any order give exactly the
 * same number: a difference in the last digit would affect ranks.
 * @see paper §4.2, Appendix A.2
 * @example weightEntropy([0.5, 0.5, 0]) // => 1
 */
export function weightEntropy(probs: readonly number[]): number {
  let bits = 0;
  for (const p of [...probs].sort((a, b) => b - a)) if (p > 0) bits -= p * Math.log2(p);
  return Math.max(0, bits);
}

/** Probabilities are clipped at this inside logarithms only, so that a certain Yes has log-odds of 27.6 instead of infinity. */
export const LOG_CLIP = 1e-12;

export interface InverseLogOdds {
  /** ρ in nats; null where it is infinite (mode `paper`). */
  log_odds: number | null;
  /** σ(ρ) = P(Yes). */
  yes_prob: number;
}

/**
 * Inverse-check log-odds ρ: how strongly the auditor considered the opposite decision defensible too. S uses it as σ(ρ).
 *
 * Formula: ρ = ln P(Yes) - ln P(No); σ(ρ) = P(Yes) / (P(Yes) + P(No)).
 * Range: ρ in nats, higher means that the opposite is more likely to be defensible; σ(ρ) in [0, 1].
 * Undefined when: one of the two has zero probability and `missing` is `paper`: ρ is null, σ(ρ) is 1 or 0.
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

/** The parts of S; null if a part could not be read. */
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
 * Range: (0, 1]; higher is more stable. It is 1 only if λ = H = σ(ρ) = 0.
 * Undefined when: one of its three parts is null: null. RangeError when one is NaN.
 * Differs from the paper: nothing in the formula. It is not a probability of being defensible, although the paper calls it one: with the paper's
 * weights it cannot fall below 0.343, and a confident level 3 with a low σ(ρ) is near 1. See `p_defensible`.
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

/** How much one part of S lowers ln S below 0, which is reached only with certainty in all three parts. */
export interface SignalContribution {
  part: "label_confidence" | "entropy" | "inverse_check";
  weight: number;
  /** λ in nats, H in bits, σ(ρ) as a probability. */
  value: number;
  /** What it adds to ln S; never above 0. */
  nats: number;
}

/**
 * What each part of one decision's S contributed to it. S is a product, so its logarithm is a sum, and the three terms sum to ln S.
 *
 * Formula: ln S = α·λ + (−β·H) + (−γ·σ(ρ)); the terms in this order. H is H[w] or H[κ], as `weights.component` says.
 * Range: nats, each term (−∞, 0]; closer to 0 means that the part lowers S less.
 * Undefined when: one of the three parts is null: null.
 * Differs from the paper: the paper treats the weights alone as contributions, but a part that is 0 contributes nothing whatever its weight.
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
    // 0 − x avoids a negative zero where a part is 0.
    { part: "entropy", weight: beta, value: entropy, nats: 0 - beta * entropy },
    { part: "inverse_check", weight: gamma, value: inverse_yes_prob, nats: 0 - gamma * inverse_yes_prob },
  ];
}

/** The paper's fallback if there is no weights file. @see paper Appendix B, "Calibration reproducibility" */
export const EQUAL_WEIGHTS: Weights = Object.freeze({
  alpha: 1 / 3,
  beta: 1 / 3,
  gamma: 1 / 3,
  component: "h_w",
  loss: null,
  n_samples: null,
  calibrated: false,
});
