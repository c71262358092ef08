import type { BetaModel, MultinomialModel, PlattModel, TargetClasses } from "../calibration-model.js";
import { FEATURES, type FeatureName, featureMatrix, logDefensibleMatrix, targetsOf } from "../features.js";
import type { ScoreColumns } from "../score-columns.js";
import { ridgeLogistic, ridgeSoftmax, standardise } from "./ridge.js";

/** Keeps the optimum finite where the classes do not overlap, and is too small to matter otherwise. For standardised features. */
export const FINITE_OPTIMUM_L2 = 1e-6;

/**
 * Platt scaling: a line in the log-odds of 1 − p(L3).
 *
 * Formula: σ(slope · ln(p/(1−p)) + intercept), p = p1 + p2, by maximum likelihood, with a ridge of 10⁻⁶ on the standardised slope.
 * Range: slope ≥ 0: higher p never means less defensible. If the data say otherwise, the slope is 0 and the score is the base rate.
 * Undefined when: a class is missing (the fit diverges; callers refuse first).
 * Differs from the paper: not in the paper. Platt's smoothed targets are left out: the ridge replaces them and does not depend on n.
 * @see Platt (1999), Advances in Large Margin Classifiers, 61-74
 */
export function fitPlatt(columns: ScoreColumns, rows: Int32Array): PlattModel {
  const logs = logDefensibleMatrix(columns, rows);
  const logits = Float64Array.from(rows, (_, r) => logs[2 * r]! - logs[2 * r + 1]!);
  const { defensible, weight } = targetsOf(columns, rows);
  const { mean, sd } = standardise(logits, 1, weight);
  const fit = ridgeLogistic(logits, 1, defensible, FINITE_OPTIMUM_L2, weight);
  if (sd[0] === 0 || fit.weights[0]! <= 0) return { kind: "platt", slope: 0, intercept: baseLogit(defensible, weight) };
  const slope = fit.weights[0]! / sd[0]!;
  return { kind: "platt", slope, intercept: fit.bias - slope * mean[0]! };
}

/** ln(k/(n−k)), the intercept of a model without features. */
function baseLogit(y: Uint8Array, weight: Float64Array | null = null): number {
  let [k, n] = [0, 0];
  for (let i = 0; i < y.length; i += 1) {
    const w = weight ? weight[i]! : 1;
    k += w * y[i]!;
    n += w;
  }
  return Math.log(k / (n - k));
}

/**
 * Beta calibration: bends the two ends of a probability independently, which a single slope cannot do.
 *
 * Formula: σ(a ln p − b ln(1−p) + c), p = p1 + p2, a, b ≥ 0, by maximum likelihood with a ridge of 10⁻⁶ on the standardised a and b. A coefficient
 * that is negative at the unbounded optimum is set to 0 and the rest refitted. Among several such fits the one with the highest likelihood is kept;
 * since the loss is convex, it is the optimum under the bounds.
 * Range: increasing in p. a = b is Platt scaling; a = b = 1 and c = 0 changes nothing.
 * Undefined when: a class is missing (the fit diverges; callers refuse first).
 * Differs from the paper: not in the paper.
 * @see Kull, Silva Filho and Flach (2017), AISTATS, section 3
 */
export function fitBeta(columns: ScoreColumns, rows: Int32Array): BetaModel {
  const matrix = logDefensibleMatrix(columns, rows);
  for (let at = 1; at < matrix.length; at += 2) matrix[at] = -matrix[at]!;
  const { defensible, weight } = targetsOf(columns, rows);
  const { mean, sd } = standardise(matrix, 2, weight);
  let best: { a: number; b: number; bias: number; value: number } | undefined;
  for (const kept of [[0, 1], [1], [0]]) {
    const fit = ridgeLogistic(pick(matrix, kept), kept.length, defensible, FINITE_OPTIMUM_L2, weight);
    const coefficients = [0, 0];
    for (const [place, j] of kept.entries()) coefficients[j] = sd[j] === 0 ? 0 : fit.weights[place]!;
    const [a = 0, b = 0] = coefficients;
    if (a < 0 || b < 0 || (best && best.value <= fit.value)) continue;
    best = { a, b, bias: fit.bias, value: fit.value };
    // Feasible without bounds, so no bounded fit has a higher likelihood.
    if (kept.length === 2) break;
  }
  if (!best) return { kind: "beta", a: 0, b: 0, c: baseLogit(defensible, weight) };
  const a = sd[0] === 0 ? 0 : best.a / sd[0]!;
  const b = sd[1] === 0 ? 0 : best.b / sd[1]!;
  return { kind: "beta", a, b, c: best.bias - a * mean[0]! - b * mean[1]! };
}

function pick(matrix: Float64Array, columns: readonly number[]): Float64Array {
  if (columns.length === 2) return matrix;
  return Float64Array.from({ length: matrix.length / 2 }, (_, i) => matrix[2 * i + columns[0]!]!);
}

/** Ridge of the multinomial model. @see docs/calibration.md */
export const MULTINOMIAL_L2 = 1e-3;

export interface MultinomialOptions {
  target?: TargetClasses;
  /** Default all. The rows must have all of them. */
  features?: readonly FeatureName[];
  /** Default 1e-3. */
  l2?: number;
  /** Features dropped beforehand, recorded in the model. */
  dropped?: readonly { feature: FeatureName; reason: string }[];
}

/**
 * The project's default calibration: a ridge multinomial logistic model on all signals of the audit. It separates the three levels, and entropy can
 * count in favour of level 2, whereas in S it can only count against a decision.
 *
 * Formula: softmax(W x + b) on standardised features x (see `writeFeatures`), argmin of mean NLL + l2/2 ‖W‖², l2 = 10⁻³, b not penalised. For a
 * binary target σ(w·x + b) with the same objective.
 * Range: P(L1), P(L2), P(L3), or P(defensible).
 * Undefined when: there are no rows (RangeError). A feature that does not vary on these rows is dropped and recorded.
 * Differs from the paper: the paper's S has no intercept, no slope and a fixed sign for each part; its weights sum to 1.
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
