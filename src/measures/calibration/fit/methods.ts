import { isotonicRegression } from "../../../stats/optimise/isotonic-regression.js";
import { firstWhere } from "../../../stats/ranks/sorted-order.js";
import type { CalibrationModel, IsotonicModel, TargetClasses } from "../calibration-model.js";
import { compileCalibration } from "../compile-calibration.js";
import { type FeatureName, INPUT, INPUTS, loadColumns, targetsOf } from "../features.js";
import type { ScoreColumns } from "../score-columns.js";
import { fitBeta, fitMultinomial, fitPlatt } from "./platt.js";
import { fitTemperature, fitVectorScaling } from "./temperature.js";

/** From the simplest (nothing fitted) to the richest. Of two methods with the same loss the earlier is chosen. */
export const CALIBRATION_METHODS = [
  "raw",
  "temperature",
  "platt",
  "beta",
  "vector",
  "isotonic",
  "multinomial",
] as const;

export type CalibrationMethod = (typeof CALIBRATION_METHODS)[number];

export interface FitContext {
  target: TargetClasses;
  features: readonly FeatureName[];
  dropped: readonly { feature: FeatureName; reason: string }[];
}

export function fitMethod(
  method: CalibrationMethod,
  columns: ScoreColumns,
  rows: Int32Array,
  { target, features, dropped }: FitContext,
): CalibrationModel {
  switch (method) {
    case "raw":
      return { kind: "raw" };
    case "temperature":
      return fitTemperature(columns, rows, target);
    case "platt":
      return fitPlatt(columns, rows);
    case "beta":
      return fitBeta(columns, rows);
    case "vector":
      return fitVectorScaling(columns, rows);
    case "isotonic":
      return fitIsotonic(columns, rows);
    case "multinomial":
      return fitMultinomial(columns, rows, { target, features, dropped });
  }
}

/** Why a method cannot be fitted with these numbers of rows per class; null if it can. */
export function unavailable(
  method: CalibrationMethod,
  counts: { target: TargetClasses; defensible: number; indefensible: number },
): string | null {
  if (method === "vector" && counts.target === "binary") return "needs rows of all three levels";
  if (method === "isotonic" && Math.min(counts.defensible, counts.indefensible) < ISOTONIC_MINIMUM) {
    return `needs ${ISOTONIC_MINIMUM} rows of each class; there are ${counts.defensible} defensible and ${counts.indefensible} indefensible`;
  }
  return null;
}

/** Methods that only use 1 − p(L3). */
export const TWO_CLASS_METHODS = ["raw", "platt", "beta", "isotonic"] as const satisfies readonly CalibrationMethod[];

export function isTwoClass({ kind }: Pick<CalibrationModel, "kind">): boolean {
  return TWO_CLASS_METHODS.some((method) => method === kind);
}

/** Whether rows have 1 − p(L3) but not its division into levels, as is common in files of other tools. */
export function hasTwoClassesOnly({ n, p1, pDefensible }: ScoreColumns): boolean {
  let known = false;
  for (let i = 0; i < n; i += 1) {
    if (!Number.isNaN(p1[i]!)) return false;
    known ||= !Number.isNaN(pDefensible[i]!);
  }
  return known;
}

/**
 * The columns with p1 = 1 − p(L3), p2 = 0 where only the sum is known, for `TWO_CLASS_METHODS`, which use only p1 + p2 and p3. Never use them for a
 * method that separates levels 1 and 2.
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

export interface OutOfFold {
  /** P(defensible) of each row, from a model not fitted on that row. */
  score: Float64Array;
  /** Three level probabilities per row; NaN where the method has none. */
  levels: Float64Array;
  /** The model fitted without each fold, by fold index. */
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

/** Rows of each class below which a free curve fits noise. @see docs/calibration.md */
export const ISOTONIC_MINIMUM = 1000;

/**
 * Isotonic calibration: the best-fitting non-decreasing curve of 1 − p(L3), with no other assumption.
 *
 * Formula: isotonic regression of y on p, equal p pooled first; straight lines between the ends of neighbouring blocks, constant outside. A block
 * at either end with m rows of a single class has ½/(m+1) or (m+½)/(m+1) instead of 0 or 1, but never passes its neighbour: log-loss penalises a
 * wrong certainty without bound, and m rows do not prove certainty.
 * Range: [½/(m+1), (m+½)/(m+1)], non-decreasing.
 * Undefined when: there are no rows (RangeError).
 * Differs from the paper: not in the paper.
 * @see Zadrozny and Elkan (2002), KDD, 694-699
 */
export function fitIsotonic(columns: ScoreColumns, rows: Int32Array): IsotonicModel {
  if (rows.length === 0) throw new RangeError("rows: none; expected at least one of each class");
  const { scores, successes, counts } = pooled(columns, rows);
  const fitted = isotonicRegression(
    successes.map((k, i) => k / counts[i]!),
    counts,
  );
  const x: number[] = [];
  const y: number[] = [];
  for (let from = 0; from < fitted.length; ) {
    let to = from;
    let rowsHere = counts[from]!;
    while (to + 1 < fitted.length && fitted[to + 1] === fitted[from]) rowsHere += counts[++to]!;
    const value = bounded(fitted[from]!, rowsHere, fitted[from - 1], fitted[to + 1]);
    x.push(scores[from]!);
    y.push(value);
    if (to > from) {
      x.push(scores[to]!);
      y.push(value);
    }
    from = to + 1;
  }
  return { kind: "isotonic", x, y };
}

function bounded(value: number, rows: number, before: number | undefined, after: number | undefined): number {
  if (value === 0) return Math.min(0.5 / (rows + 1), after ?? 1);
  if (value === 1) return Math.max((rows + 0.5) / (rows + 1), before ?? 0);
  return value;
}

/** Distinct p in ascending order, with their counts. */
function pooled(columns: ScoreColumns, rows: Int32Array) {
  const { defensible, weight } = targetsOf(columns, rows);
  const input = new Float64Array(INPUTS);
  const p = new Float64Array(rows.length);
  for (let r = 0; r < rows.length; r += 1) {
    loadColumns(columns, rows[r]!, input);
    p[r] = input[INPUT.p1]! + input[INPUT.p2]!;
  }
  const scores = Float64Array.from(p).sort();
  let distinct = 0;
  for (const score of scores) if (distinct === 0 || score !== scores[distinct - 1]) scores[distinct++] = score;
  const successes = new Float64Array(distinct);
  const counts = new Float64Array(distinct);
  for (let r = 0; r < rows.length; r += 1) {
    const place = firstWhere(0, distinct - 1, (k) => scores[k]! >= p[r]!);
    const w = weight ? weight[r]! : 1;
    successes[place]! += w * defensible[r]!;
    counts[place]! += w;
  }
  return { scores, successes, counts };
}
