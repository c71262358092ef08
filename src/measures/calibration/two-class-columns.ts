import type { CalibrationModel } from "./calibration-model.js";
import type { CalibrationMethod } from "./methods.js";
import type { ScoreColumns } from "./score-columns.js";

/** Methods that look at 1 − p(L3) only. */
export const TWO_CLASS_METHODS = ["raw", "platt", "beta", "isotonic"] as const satisfies readonly CalibrationMethod[];

export function isTwoClass({ kind }: Pick<CalibrationModel, "kind">): boolean {
  return TWO_CLASS_METHODS.some((method) => method === kind);
}

/** Rows that know 1 − p(L3) but not how it divides: files of other tools often have no more. */
export function hasTwoClassesOnly({ n, p1, pDefensible }: ScoreColumns): boolean {
  let known = false;
  for (let i = 0; i < n; i += 1) {
    if (!Number.isNaN(p1[i]!)) return false;
    known ||= !Number.isNaN(pDefensible[i]!);
  }
  return known;
}

/**
 * The columns with p1 = 1 − p(L3), p2 = 0 where only the sum is known, for `TWO_CLASS_METHODS`, which use nothing but p1 + p2 and p3.
 * Never for a method that tells levels 1 and 2 apart.
 */
export function twoClassColumns(columns: ScoreColumns): ScoreColumns {
  const { n, pDefensible } = columns;
  const [p1, p2, p3] = [columns.p1.slice(), columns.p2.slice(), columns.p3.slice()];
  for (let i = 0; i < n; i += 1) {
    if (!Number.isNaN(p1[i]!) || Number.isNaN(pDefensible[i]!)) continue;
    p1[i] = pDefensible[i]!;
    p2[i] = 0;
    p3[i] = 1 - pDefensible[i]!;
  }
  return { ...columns, p1, p2, p3 };
}
