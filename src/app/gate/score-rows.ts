import type { AuditTable } from "../../analysis/audit-table.js";
import { readDecisionScores } from "../../analysis/decision-scores.js";
import { readScoreColumns } from "../../analysis/score-table.js";
import { TARGETS } from "../../analysis/targets.js";
import type { CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import { applyToColumns, type CalibrationModel } from "../../measures/calibration/calibration-model.js";

/** The scored verdicts that thresholds are about. */
export interface ScoreRows {
  pds: Float64Array;
  score: Float64Array;
  /** The auditor's own verdict. */
  audited: Uint8Array;
  /** 1: level 3 by the labels; `UNLABELLED`: no label. */
  indefensible: Uint8Array;
  positive: Uint8Array;
  /** Of labels that were drawn with unequal chances. */
  weight?: Float64Array | undefined;
  /** 1: had no part in choosing communities. */
  heldOut: Uint8Array;
  community: Int32Array;
  communities: readonly string[];
}

export const UNLABELLED = 255;

/** With the calibrated score, and losses by what the calibration was fitted against. `heldOut`: SQL for the rows that are. */
export async function calibratedRows(
  table: AuditTable,
  heldOut: string,
  calibration: StoredCalibration,
  target: CalibrationTarget | null,
): Promise<ScoreRows> {
  const targets = target && target.kind !== "self" ? { targets: TARGETS } : {};
  const columns = await readScoreColumns(table, { ...targets, heldOut });
  const audited = columns.level.map((level) => (level === 3 ? 1 : 0));
  const { targetLevel, targetWeight: weight, pds, positive, community, communities } = columns;
  const indefensible = targetLevel
    ? targetLevel.map((level) => (level === 0 ? UNLABELLED : level === 3 ? 1 : 0))
    : audited;
  const score = applyToColumns(calibration.model as CalibrationModel, columns);
  const held = columns.heldOut ?? new Uint8Array(columns.n);
  return { pds, score, audited, indefensible, positive, weight, heldOut: held, community, communities };
}

/** With the raw 1 − p(L3), and losses by the auditor's own level. */
export async function rawRows(table: AuditTable, heldOut: string): Promise<ScoreRows> {
  const scores = await readDecisionScores(table, ["community"], heldOut);
  const { pds, pDefensible: score, indefensible, positive, cohort: community, cohorts: communities } = scores;
  return {
    pds,
    score,
    audited: indefensible,
    indefensible,
    positive,
    heldOut: scores.heldOut,
    community,
    communities,
  };
}
