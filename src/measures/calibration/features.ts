import { CALIBRATION_FEATURES } from "../../core/calibration-model.js";
import { LOG_CLIP } from "../signals/inverse-log-odds.js";
import { INPUT, INPUTS, loadColumns } from "./inputs.js";
import type { ScoreColumns } from "./score-columns.js";

/** What the multinomial model may look at, in this order. The most probable level is told by two of three; level 1 is where both are 0. */
export const FEATURES = CALIBRATION_FEATURES;

export type FeatureName = (typeof FEATURES)[number];

/** ln p, clipped inside the logarithm only. */
export function clippedLog(p: number): number {
  return Math.log(p > LOG_CLIP ? p : p <= LOG_CLIP ? LOG_CLIP : Number.NaN);
}

/**
 * The features of one audit for the calibration model, written into `out` in the order of `FEATURES`; NaN: absent.
 *
 * Formula: ln p1/p3, ln p2/p3, ρ clipped to ±14, H[w], H[κ], 1{ξ*=2}, 1{ξ*=3}, 1{the decision restricts}.
 * Range: the first two in ±27.6 (probabilities are clipped at 1e-12 inside the logarithm), entropies from 0.
 * Undefined when: a feature whose input is absent is NaN in `out`, and the model that needs it gives null.
 * Differs from the paper: the paper uses λ, H and σ(ρ) only, and only with one sign.
 * @see docs/calibration.md
 */
export function writeFeatures(input: Float64Array, out: Float64Array, offset = 0): void {
  const logP3 = clippedLog(input[INPUT.p3]!);
  const map = input[INPUT.mapLevel]!;
  out[offset] = clippedLog(input[INPUT.p1]!) - logP3;
  out[offset + 1] = clippedLog(input[INPUT.p2]!) - logP3;
  out[offset + 2] = input[INPUT.inverseLogOdds]!;
  out[offset + 3] = input[INPUT.weightBits]!;
  out[offset + 4] = input[INPUT.citationBits]!;
  out[offset + 5] = map === 2 ? 1 : map >= 1 ? 0 : Number.NaN;
  out[offset + 6] = map === 3 ? 1 : map >= 1 ? 0 : Number.NaN;
  out[offset + 7] = input[INPUT.positive]!;
}

/** The chosen features of the given rows, row after row. */
export function featureMatrix(columns: ScoreColumns, rows: Int32Array, features: readonly FeatureName[]): Float64Array {
  const places = features.map((name) => FEATURES.indexOf(name));
  const matrix = new Float64Array(rows.length * places.length);
  const input = new Float64Array(INPUTS);
  const all = new Float64Array(FEATURES.length);
  for (let r = 0, at = 0; r < rows.length; r += 1) {
    loadColumns(columns, rows[r]!, input);
    writeFeatures(input, all);
    for (const place of places) matrix[at++] = all[place]!;
  }
  return matrix;
}

/** ln p of the three levels of the given rows, clipped, row after row. */
export function logProbMatrix(columns: ScoreColumns, rows: Int32Array): Float64Array {
  const matrix = new Float64Array(rows.length * 3);
  const input = new Float64Array(INPUTS);
  for (let r = 0; r < rows.length; r += 1) {
    loadColumns(columns, rows[r]!, input);
    for (let level = 0; level < 3; level += 1) matrix[3 * r + level] = clippedLog(input[level]!);
  }
  return matrix;
}

/** ln p and ln(1−p), p = 1 − p(L3), of the given rows, clipped, row after row. */
export function logDefensibleMatrix(columns: ScoreColumns, rows: Int32Array): Float64Array {
  const matrix = new Float64Array(rows.length * 2);
  const input = new Float64Array(INPUTS);
  for (let r = 0; r < rows.length; r += 1) {
    loadColumns(columns, rows[r]!, input);
    matrix[2 * r] = clippedLog(input[INPUT.p1]! + input[INPUT.p2]!);
    matrix[2 * r + 1] = clippedLog(input[INPUT.p3]!);
  }
  return matrix;
}

/** Target levels of the given rows, whether each is defensible, and how much each counts (null: all the same). */
export function targetsOf(
  columns: ScoreColumns,
  rows: Int32Array,
): { level: Uint8Array; defensible: Uint8Array; weight: Float64Array | null } {
  const target = columns.targetLevel;
  if (!target) throw new RangeError("targetLevel: absent; expected columns with a target");
  const level = new Uint8Array(rows.length);
  const defensible = new Uint8Array(rows.length);
  const { targetWeight } = columns;
  const weight = targetWeight ? new Float64Array(rows.length) : null;
  for (let r = 0; r < rows.length; r += 1) {
    level[r] = target[rows[r]!]!;
    defensible[r] = level[r]! <= 2 ? 1 : 0;
    if (weight) weight[r] = targetWeight![rows[r]!]!;
  }
  return { level, defensible, weight };
}
