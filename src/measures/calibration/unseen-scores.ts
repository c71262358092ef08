import type { CalibrationModel } from "./calibration-model.js";
import type { CalibrationChoice } from "./choose-calibration.js";
import { compileCalibration } from "./compile-calibration.js";
import { isTwoClass, twoClassColumns } from "./fit/methods.js";
import type { ScoreColumns } from "./score-columns.js";

/** Rows and a model that was not fitted on any of their decisions. */
export interface UnseenPart {
  model: CalibrationModel;
  rows: Int32Array;
}

export interface UnseenParts {
  parts: UnseenPart[];
  /** Rows whose decision was fitted on; null: nobody knows, because a side does not say its decisions. */
  overlap: number | null;
}

/** The decisions of rows, in their order; null where they are not known. */
export type RowIds = readonly string[] | null | undefined;

/**
 * Divides rows that a calibration is measured on by the model that may score them: the model itself for decisions it was not fitted on; for
 * the others, audited a second time, the model of the fold that left them out. A decision that was in several folds has been seen by every
 * model and is in no part.
 */
export function unseenParts(
  choice: Pick<CalibrationChoice, "model" | "rowFold" | "foldModels">,
  fitted: RowIds,
  { n, ids }: { n: number; ids: RowIds },
): UnseenParts {
  const { model, rowFold, foldModels } = choice;
  const every = Int32Array.from({ length: n }, (_, i) => i);
  if (!fitted || !ids) return { parts: [{ model, rows: every }], overlap: null };
  const folds = new Map<string, number>();
  for (let i = 0; i < rowFold.length; i += 1) {
    const fold = rowFold[i]!;
    if (fold < 0) continue;
    const before = folds.get(fitted[i]!);
    folds.set(fitted[i]!, before === undefined || before === fold ? fold : SEVERAL);
  }
  const part = Int32Array.from(ids, (id) => folds.get(id) ?? NOT_FITTED);
  const parts = [{ model, rows: every.filter((i) => part[i] === NOT_FITTED) }];
  for (const [fold, without] of foldModels.entries()) {
    parts.push({ model: without, rows: every.filter((i) => part[i] === fold) });
  }
  return {
    parts: parts.filter(({ rows }) => rows.length > 0),
    overlap: n - part.filter((p) => p === NOT_FITTED).length,
  };
}

const NOT_FITTED = -1;
const SEVERAL = -2;

/** P(defensible) of each row, NaN where there is none, and three level probabilities a row, NaN where the model has none. */
export function scoreParts(
  parts: readonly UnseenPart[],
  columns: ScoreColumns,
): { score: Float64Array; levels: Float64Array } {
  const score = new Float64Array(columns.n).fill(Number.NaN);
  const levels = new Float64Array(3 * columns.n).fill(Number.NaN);
  const sums = parts.some(({ model }) => isTwoClass(model)) ? twoClassColumns(columns) : columns;
  for (const { model, rows } of parts) {
    const partLevels = new Float64Array(3 * rows.length);
    const partScore = compileCalibration(model).rows(isTwoClass(model) ? sums : columns, rows, partLevels);
    for (let r = 0; r < rows.length; r += 1) {
      score[rows[r]!] = partScore[r]!;
      if (!Number.isNaN(partScore[r]!)) levels.set(partLevels.subarray(3 * r, 3 * r + 3), 3 * rows[r]!);
    }
  }
  return { score, levels };
}
