import type { CalibrationModel } from "./calibration-model.js";
import { createScorer, type Scorer } from "./create-scorer.js";
import { INPUTS, loadColumns, loadRow } from "./inputs.js";
import type { ScoreColumns, ScoreRow } from "./score-columns.js";

/** A calibration ready for many rows: parameters are unpacked once. */
export interface CompiledCalibration {
  /** P(defensible), or null where a needed input is absent. */
  defensible(row: ScoreRow): number | null;
  /** Probabilities of the levels, or null. */
  levels(row: ScoreRow): [number, number, number] | null;
  /** P(defensible) of every row, NaN where absent. */
  columns(columns: ScoreColumns): Float64Array;
  /** P(defensible) of the rows named; with `levels` their level probabilities too, three to a row (NaN where the model has none). */
  rows(columns: ScoreColumns, rows: Int32Array, levels?: Float64Array): Float64Array;
}

/** Unpacks a model; use it instead of `applyCalibration` where rows come one by one. */
export function compileCalibration(model: CalibrationModel): CompiledCalibration {
  const scorer: Scorer = createScorer(model);
  const input = new Float64Array(INPUTS);
  return {
    defensible(row) {
      loadRow(row, input);
      const score = scorer.score(input);
      return Number.isNaN(score) ? null : score;
    },
    levels(row) {
      if (!scorer.levels) return null;
      loadRow(row, input);
      if (Number.isNaN(scorer.score(input))) return null;
      const [p1, p2, p3] = scorer.levels;
      return [p1!, p2!, p3!];
    },
    columns(columns) {
      const scores = new Float64Array(columns.n);
      for (let i = 0; i < columns.n; i += 1) {
        loadColumns(columns, i, input);
        scores[i] = scorer.score(input);
      }
      return scores;
    },
    rows(columns, rows, levels) {
      const scores = new Float64Array(rows.length);
      for (let r = 0; r < rows.length; r += 1) {
        loadColumns(columns, rows[r]!, input);
        scores[r] = scorer.score(input);
        if (!levels) continue;
        for (let k = 0; k < 3; k += 1) levels[3 * r + k] = scorer.levels ? scorer.levels[k]! : Number.NaN;
      }
      return scores;
    },
  };
}
