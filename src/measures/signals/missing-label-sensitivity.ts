import { inverseLogOdds } from "./inverse-log-odds.js";
import { labelConfidence } from "./label-confidence.js";
import { fillMissing, type LabelDistribution } from "./label-distribution.js";
import { probabilisticDefensibilitySignal } from "./probabilistic-defensibility-signal.js";
import { weightEntropy } from "./weight-entropy.js";
import type { Weights } from "./weights.js";

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
