import type { CalibrationModel } from "./calibration-model.js";
import { compileCalibration } from "./compile-calibration.js";
import { type CalibrationMethod, type FitContext, fitMethod } from "./methods.js";
import type { ScoreColumns } from "./score-columns.js";

export interface OutOfFold {
  /** P(defensible) of each row by a model that has not seen it. */
  score: Float64Array;
  /** Three level probabilities a row; NaN where the method has none. */
  levels: Float64Array;
  /** The model that did not see a fold, by the fold's number. */
  models: CalibrationModel[];
}

/** Scores every row by a model fitted on the other folds. `fold` is in the order of `rows`. */
export function crossValidate(
  method: CalibrationMethod,
  columns: ScoreColumns,
  rows: Int32Array,
  { fold, count }: { fold: Int32Array; count: number },
  context: FitContext,
): OutOfFold {
  const score = new Float64Array(rows.length);
  const levels = new Float64Array(3 * rows.length);
  const models: CalibrationModel[] = [];
  for (let f = 0; f < count; f += 1) {
    const training = rows.filter((_, r) => fold[r] !== f);
    const held = Int32Array.from(rows.keys()).filter((r) => fold[r] === f);
    const fitted = fitMethod(method, columns, training, context);
    models.push(fitted);
    const model = compileCalibration(fitted);
    const heldLevels = new Float64Array(3 * held.length);
    const heldScore = model.rows(
      columns,
      held.map((r) => rows[r]!),
      heldLevels,
    );
    for (let h = 0; h < held.length; h += 1) {
      score[held[h]!] = heldScore[h]!;
      levels.set(heldLevels.subarray(3 * h, 3 * h + 3), 3 * held[h]!);
    }
  }
  return { score, levels, models };
}
