import { classwiseError } from "../../measures/calibration/classwise-error.js";
import type { ClasswiseErrors } from "../../measures/calibration/detailed-calibration.js";
import type { ScoreColumns } from "../../measures/calibration/score-columns.js";

/** More rows than this are not looked at level by level. */
const MAXIMUM_ROWS = 200_000;

/** `levels`: three probabilities a row by a model that has not seen the row; null where there are none. */
export function classwiseErrors(
  columns: ScoreColumns,
  levels: Float64Array | null,
  options: { seed: number; draws: number },
): ClasswiseErrors {
  const { n, p1, p2, p3, targetLevel, targetWeight: weights } = columns;
  if (n > MAXIMUM_ROWS || !targetLevel) return { raw: null, calibrated: null };
  const measured = (probs: [Float64Array, Float64Array, Float64Array]) => {
    const found = classwiseError(probs, targetLevel, { ...options, weights });
    return found.n === 0 ? null : found;
  };
  const level = (k: number) => Float64Array.from({ length: n }, (_, i) => levels![3 * i + k]!);
  return {
    raw: measured([p1, p2, p3]),
    calibrated: levels ? measured([level(0), level(1), level(2)]) : null,
  };
}
