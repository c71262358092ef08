import type { Level } from "../../core/records/level.js";
import { inverseLogOdds } from "./inverse-log-odds.js";
import { fillMissing, type LabelDistribution } from "./label-distribution.js";
import { probabilisticDefensibilitySignal } from "./probabilistic-defensibility-signal.js";
import { weightEntropy } from "./weight-entropy.js";
import type { Weights } from "./weights.js";

/** Probabilities nearer than this are a tie: sums of exponentials differ in their last digits. */
const TIE = 1e-12;

export interface LabelConfidence {
  /** ξ*, the most probable level. */
  level: Level;
  /** λ = ln p(ξ*). */
  lambda_nats: number;
  tie: boolean;
}

/**
 * Label log-confidence λ: how far the auditor had committed itself to one level when it wrote the level.
 *
 * Formula: ξ* = argmax p(l); λ = ln p(ξ*).
 * Range: nats, [-ln 3, 0]; higher is more committed, whichever level it is.
 * Undefined when: there is no level distribution (the caller has none to give). RangeError when a probability is not one.
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

/** S if every label outside the candidates had no probability, the floor, or all that was not listed. */
export interface MissingLabelSensitivity {
  absent_zero: number;
  floor: number;
  bound: number;
}

/** S values further apart than this are worth reporting. */
export const SENSITIVITY_REPORTED = 0.01;

type Labels = Record<"level" | "weight" | "inverse", LabelDistribution | null>;

/** How far S depends on what is assumed about labels that no candidate named; null where it does not, or where S is undefined. */
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
