import type { CalibrationModel, PdsModel } from "./calibration-model.js";
import { compileCalibration } from "./compile-calibration.js";
import { type EstimatedPrior, estimatePrior, priorFactors } from "./prior-shift.js";
import type { ScoreColumns } from "./score-columns.js";

type ShiftableModel = Exclude<CalibrationModel, PdsModel>;

/** The model with its odds carried from the mix of classes it was fitted on to another: three shares (levels) or two (defensible, indefensible). */
export function withPrior<M extends ShiftableModel>(
  model: M,
  prior: { fitted: readonly number[]; deployed: readonly number[] },
): M {
  priorFactors(prior, 2);
  return { ...model, prior: { fitted: [...prior.fitted], deployed: [...prior.deployed] } };
}

/**
 * The mix of classes in unlabelled audits by EM on the model's probabilities (without any shift it already has): three shares where the model
 * tells levels apart, else two. Null where no row can be scored.
 */
export function deployedPrior(
  model: ShiftableModel,
  columns: ScoreColumns,
  fittedLevels: readonly number[],
): EstimatedPrior | null {
  const levels = new Float64Array(3 * columns.n);
  const rows = Int32Array.from({ length: columns.n }, (_, i) => i);
  const score = compileCalibration({ ...model, prior: undefined }).rows(columns, rows, levels);
  return priorOfScores({ score, levels }, fittedLevels);
}

/** The same from scores that are there already: P(defensible) of each row, and its three level probabilities (NaN: the model has none). */
export function priorOfScores(
  { score, levels }: { score: Float64Array; levels: Float64Array },
  fittedLevels: readonly number[],
): EstimatedPrior | null {
  const scored = score.findIndex((p) => !Number.isNaN(p));
  if (scored < 0) return null;
  if (!Number.isNaN(levels[3 * scored]!)) return estimatePrior(levels, fittedLevels);
  const pairs = new Float64Array(2 * score.length);
  for (let i = 0; i < score.length; i += 1) {
    pairs[2 * i] = score[i]!;
    pairs[2 * i + 1] = 1 - score[i]!;
  }
  const [first = 0, second = 0, third = 0] = fittedLevels;
  return estimatePrior(pairs, fittedLevels.length === 3 ? [first + second, third] : fittedLevels);
}
