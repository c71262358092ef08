import {
  CONFIDENCE_LEVEL,
  type DefinedEstimate,
  type UndefinedEstimate,
  undefinedEstimate,
} from "../../core/estimate.js";
import { checkCount, checkLevel } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";

/** Labelled rows with the same label, prediction and weight. */
export interface LabelledGroup {
  label: number;
  prediction: number;
  /** Number of rows. */
  count: number;
  /** Number of rows that each of these represents (1 / its chance of being labelled). Default 1 for all. */
  weight?: number;
}

/** Summary of the predictions of many rows. */
export interface PredictedRows {
  n: number;
  mean: number;
  /** Variance with divisor n − 1. */
  variance: number;
}

export interface PredictionPoweredOptions {
  /** `disjoint`: the predicted rows do not include the labelled ones. `nested`: they do. */
  form: "disjoint" | "nested";
  level?: number;
  /** Error of the one-sided upper bound. Default 0.05. */
  delta?: number;
  /** Range of the mean. Default 0 to 1. */
  bounds?: readonly [number, number];
}

export type PredictionPoweredMean =
  | (DefinedEstimate & {
      /** How much the predictions are trusted: 0 labels alone, 1 fully. */
      lambda: number;
      standard_error: number;
      /** The mean is at most this with confidence 1 − delta. */
      upper_bound: number;
      delta: number;
      n_predicted: number;
    })
  | UndefinedEstimate;

/** With fewer labels than this, the normal approximation is doubtful in any case. */
const FEW_LABELS = 30;
/** With fewer labelled rows than this on which label and prediction differ, their variance is a guess. */
const FEW_ERRORS = 5;

/**
 * Mean of a costly label (what people say) from a few labels and many cheap predictions (what the auditor says):
 * unbiased however wrong the predictions are, and more precise the better they are (PPI++).
 *
 * Formula: θ = λ f̄ + mean(Y − λf), f̄ over the N predicted rows. Disjoint: SE² = λ² var_N(f)/N + var(Y − λf)/n. Nested:
 * SE² = var(Y)/n + (1/n − 1/N)(λ² var(f) − 2λ cov(Y, f)). λ minimises SE² (cov/((1 + n/N) var f) and cov/var f), cut to
 * [0, 1]. With weights: means are Σwx/Σw, and var(x)/n becomes n/(n−1) Σw²(x − x̄)²/(Σw)², nested with the factor 1 −
 * Σw/(Nw) of a sample without replacement. Variances have divisor n − 1. Bounds are θ ± z SE, the one-sided one θ + z_{1−δ} SE.
 * Range: cut to `bounds`.
 * Undefined when: fewer than two labels. Without predicted rows λ = 0: the labels alone.
 * Differs from the paper: the paper takes the auditor's verdicts as the truth.
 * @see Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient Prediction-Powered Inference, arXiv:2311.01453
 * @example
 * predictionPoweredMean([{ label: 1, prediction: 1, count: 40 }, { label: 0, prediction: 1, count: 10 }, { label: 0, prediction: 0, count: 50 }], { n: 900, mean: 0.5, variance: 0.25 }, { form: "disjoint" }).estimate // => 0.4
 */
export function predictionPoweredMean(
  labelled: readonly LabelledGroup[],
  predicted: PredictedRows,
  options: PredictionPoweredOptions,
): PredictionPoweredMean {
  const { form, level = CONFIDENCE_LEVEL, delta = 0.05, bounds = [0, 1] } = options;
  checkLevel(level);
  checkLevel(1 - delta);
  checkCount("predicted rows", predicted.n);
  const rows = labelled.filter((group) => group.count > 0);
  for (const { count, weight = 1 } of rows) {
    checkCount("labelled rows", count);
    if (!(weight > 0 && weight < Infinity)) {
      throw new RangeError(`weight: cannot be used; got ${weight}, expected a positive number`);
    }
  }
  const n = rows.reduce((sum, group) => sum + group.count, 0);
  if (n < 2) return undefinedEstimate("fewer than two labels", n);
  const N = predicted.n;
  const total = rows.reduce((sum, group) => sum + group.count * (group.weight ?? 1), 0);
  const mean = (value: (group: LabelledGroup) => number) =>
    rows.reduce((sum, group) => sum + group.count * (group.weight ?? 1) * value(group), 0) / total;
  const y = mean((group) => group.label);
  const f = mean((group) => group.prediction);
  const moments = secondMoments(rows, y, f, total, n, form === "nested" ? N : Infinity);
  const ofPredicted = N === 0 || form === "nested" ? 0 : predicted.variance / N;
  const curvature = moments.ff + ofPredicted;
  const lambda = N === 0 || curvature === 0 ? 0 : Math.min(1, Math.max(0, moments.yf / curvature));
  const ofProcess = form === "nested" && N > 0 ? moments.processVariance / N : 0;
  const variance = Math.max(0, moments.yy - 2 * lambda * moments.yf + lambda ** 2 * curvature + ofProcess);
  const cut = (value: number) => Math.min(bounds[1], Math.max(bounds[0], value));
  const theta = y + lambda * ((N === 0 ? f : predicted.mean) - f);
  const se = Math.sqrt(variance);
  const half = normalQuantile((1 + level) / 2) * se;
  const errors = rows.reduce((sum, group) => sum + (group.label === group.prediction ? 0 : group.count), 0);
  const warnings: string[] = [];
  if (n < FEW_LABELS) warnings.push(`only ${n} labels: the interval is approximate`);
  if (errors < FEW_ERRORS) {
    warnings.push(`label and prediction differ in ${errors} of ${n} rows: too few for a reliable variance`);
  }
  return {
    estimate: cut(theta),
    lower: cut(theta - half),
    upper: cut(theta + half),
    level,
    method: `prediction-powered, ${form}`,
    n,
    ...(warnings.length > 0 ? { warnings } : {}),
    lambda,
    standard_error: se,
    upper_bound: cut(theta + normalQuantile(1 - delta) * se),
    delta,
    n_predicted: N,
  };
}

/** Variances and covariance of the weighted means of label and prediction over the labelled rows. */
function secondMoments(
  rows: readonly LabelledGroup[],
  y: number,
  f: number,
  total: number,
  n: number,
  population: number,
): { yy: number; yf: number; ff: number; processVariance: number } {
  const moments = { yy: 0, yf: 0, ff: 0, processVariance: 0 };
  const small = n / (n - 1);
  for (const { label, prediction, count, weight = 1 } of rows) {
    // Share of the rows like this one that were not labelled, scaled so that the weights sum to the population.
    const left = Math.max(0, 1 - total / (weight * population));
    const factor = (small * left * count * weight * weight) / total ** 2;
    moments.yy += factor * (label - y) ** 2;
    moments.yf += factor * (label - y) * (prediction - f);
    moments.ff += factor * (prediction - f) ** 2;
    moments.processVariance += (small * count * weight * (label - y) ** 2) / total;
  }
  return moments;
}
