import type { MultinomialModel, TargetClasses } from "../calibration-model.js";
import { FEATURES, type FeatureName, featureMatrix, targetsOf } from "../features.js";
import type { ScoreColumns } from "../score-columns.js";
import { ridgeLogistic, ridgeSoftmax, standardise } from "./ridge.js";

/** Ridge of the multinomial model. @see docs/calibration.md */
export const MULTINOMIAL_L2 = 1e-3;

export interface MultinomialOptions {
  target?: TargetClasses;
  /** Default all; the rows must have them. */
  features?: readonly FeatureName[];
  /** Default 1e-3. */
  l2?: number;
  /** Features left out beforehand, listed in the model. */
  dropped?: readonly { feature: FeatureName; reason: string }[];
}

/**
 * The calibration that is this project's default: a ridge multinomial logistic model on everything the audit says of itself. It tells the three
 * levels apart, and lets entropy speak for a level 2 where S can only hold it against a decision.
 *
 * Formula: softmax(W x + b) on standardised features x (see `writeFeatures`), argmin of mean NLL + l2/2 ‖W‖², l2 = 10⁻³, b not penalised. For a
 * binary target σ(w·x + b) with the same objective.
 * Range: P(L1), P(L2), P(L3), or P(defensible).
 * Undefined when: there are no rows (RangeError). A feature without spread on these rows is dropped and listed.
 * Differs from the paper: the paper's S has no intercept, no slope and one sign for each part; its weights sum to 1.
 * @see docs/calibration.md
 */
export function fitMultinomial(
  columns: ScoreColumns,
  rows: Int32Array,
  options: MultinomialOptions = {},
): MultinomialModel {
  const { target = "levels", features = FEATURES, l2 = MULTINOMIAL_L2, dropped = [] } = options;
  const all = featureMatrix(columns, rows, features);
  const { level, defensible, weight } = targetsOf(columns, rows);
  const spread = standardise(all, features.length, weight);
  const kept = features.flatMap((_, j) => (spread.sd[j]! > 0 ? [j] : []));
  const matrix = kept.length === features.length ? all : select(all, features.length, kept);
  const d = kept.length;
  const levels = target === "levels" ? ridgeSoftmax(matrix, d, level, l2, weight) : null;
  const binary = target === "binary" ? ridgeLogistic(matrix, d, defensible, l2, weight) : null;
  const constant = features.filter((_, j) => spread.sd[j] === 0);
  return {
    kind: "multinomial",
    target,
    features: kept.map((j) => features[j]!),
    mean: kept.map((j) => spread.mean[j]!),
    sd: kept.map((j) => spread.sd[j]!),
    weights: levels ? levels.weights.map((row) => [...row]) : [[...binary!.weights]],
    bias: levels ? levels.bias : [binary!.bias],
    l2,
    dropped: [...dropped, ...constant.map((feature) => ({ feature, reason: "the same on every row fitted" }))],
  };
}

function select(matrix: Float64Array, d: number, kept: readonly number[]): Float64Array {
  const picked = new Float64Array((matrix.length / d) * kept.length);
  for (let row = 0, at = 0; row < matrix.length; row += d) for (const j of kept) picked[at++] = matrix[row + j]!;
  return picked;
}
