import { undefinedEstimate } from "../domain/estimate.js";
import type { ReportAgainst } from "../domain/report.js";
import { auroc } from "../stats/auroc.js";
import { balancedAccuracy } from "../stats/balanced-accuracy.js";
import { cohenKappa } from "../stats/cohen-kappa.js";
import { proportion } from "../stats/proportion.js";

/** An audit beside what somebody else (gold, a person, another run) said of the same decision. */
export interface JudgedPair {
  level: number;
  targetLevel: number;
  inverse: boolean;
  targetInverse: boolean | null;
  /** 1 − p_defensible of the audit; null without a signal. */
  indefensibleScore: number | null;
}

/** Confusion of levels and of the inverse check against a target, with what it says of the auditor. Rows are the target's. */
export function compareAgainst(target: string, pairs: readonly JudgedPair[]): ReportAgainst {
  const levels = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const inverse = [
    [0, 0],
    [0, 0],
  ];
  const indefensible: number[] = [];
  const defensible: number[] = [];
  let inverseRows = 0;
  for (const pair of pairs) {
    levels[pair.targetLevel - 1]![pair.level - 1]!++;
    if (pair.targetInverse !== null) {
      inverse[pair.targetInverse ? 0 : 1]![pair.inverse ? 0 : 1]!++;
      inverseRows++;
    }
    if (pair.indefensibleScore !== null) {
      (pair.targetLevel === 3 ? indefensible : defensible).push(pair.indefensibleScore);
    }
  }
  const diagonal = (table: number[][]) => table.reduce((sum, row, i) => sum + row[i]!, 0);
  const n = pairs.length;
  const none = undefinedEstimate(`no verdict has a ${target} judgement`, 0);
  return {
    target,
    n,
    levels,
    level_accuracy: n ? proportion(diagonal(levels), n) : none,
    level_balanced_accuracy: n ? balancedAccuracy(levels) : none,
    level_kappa: n ? cohenKappa(levels) : none,
    level3_auroc: n ? auroc(indefensible, defensible) : none,
    n_inverse: inverseRows,
    inverse,
    inverse_accuracy: inverseRows ? proportion(diagonal(inverse), inverseRows) : none,
    inverse_kappa: inverseRows ? cohenKappa(inverse) : none,
  };
}
