import type { CalibrationModel } from "../calibration/calibration-model.js";
import { type ClasswiseError, classwiseError } from "../calibration/classwise-error.js";
import { compileCalibration } from "../calibration/compile-calibration.js";
import type { ScoreColumns } from "../calibration/score-columns.js";

/** Calibration of the three levels: as the auditor gives them, and as the model does where it has them. */
export interface ClasswiseErrors {
  raw: ClasswiseError | null;
  calibrated: ClasswiseError | null;
}

/** More rows than this are not looked at level by level. */
const MAXIMUM_ROWS = 200_000;

/** `model`: null where its level probabilities of these rows would be those of rows it was fitted on. */
export function classwiseErrors(
  columns: ScoreColumns,
  model: CalibrationModel | null,
  options: { seed: number; draws: number },
): ClasswiseErrors {
  const { n, p1, p2, p3, targetLevel } = columns;
  if (n > MAXIMUM_ROWS || !targetLevel) return { raw: null, calibrated: null };
  const measured = (probs: [Float64Array, Float64Array, Float64Array]) => {
    const found = classwiseError(probs, targetLevel, options);
    return found.n === 0 ? null : found;
  };
  return { raw: measured([p1, p2, p3]), calibrated: model ? measured(levelsOf(model, columns)) : null };
}

function levelsOf(model: CalibrationModel, columns: ScoreColumns): [Float64Array, Float64Array, Float64Array] {
  const { n } = columns;
  const levels = new Float64Array(3 * n);
  const score = compileCalibration(model).rows(
    columns,
    Int32Array.from({ length: n }, (_, i) => i),
    levels,
  );
  const level = (k: number) => Float64Array.from(score, (p, i) => (Number.isNaN(p) ? Number.NaN : levels[3 * i + k]!));
  return [level(0), level(1), level(2)];
}
