import { CALIBRATION_FEATURES } from "../../core/calibration.js";
import { LOG_CLIP } from "../signals/components.js";
import type { ScoreColumns, ScoreRow } from "./score-columns.js";

/** Positions of the cleaned inputs of one audit in a Float64Array; NaN: absent. */
export const INPUT = {
  p1: 0,
  p2: 1,
  p3: 2,
  inverseLogOdds: 3,
  weightBits: 4,
  citationBits: 5,
  mapLevel: 6,
  positive: 7,
  lambdaNats: 8,
  inverseYesProb: 9,
} as const;

export const INPUTS = 10;

/** ρ is clipped here: an answer with all its mass on Yes has an infinite ρ, and one clipped at 1e-12 has 27.6; neither is twice as certain as 14. */
export const INVERSE_LOG_ODDS_CLIP = 14;

/** Reads row i into `input`. */
export function loadColumns(columns: ScoreColumns, i: number, input: Float64Array): void {
  load(
    input,
    columns.p1[i]!,
    columns.p2[i]!,
    columns.p3[i]!,
    columns.inverseLogOdds[i]!,
    columns.inverseYesProb[i]!,
    columns.weightBits[i]!,
    columns.citationBits[i]!,
    columns.lambdaNats[i]!,
    columns.levelMap[i]!,
    columns.positive[i]!,
  );
}

/** Reads one audit into `input`. */
export function loadRow(row: ScoreRow, input: Float64Array): void {
  const [p1, p2, p3] = row.level_probs ?? [Number.NaN, Number.NaN, Number.NaN];
  load(
    input,
    p1,
    p2,
    p3,
    row.inverse_log_odds ?? Number.NaN,
    row.inverse_yes_prob ?? Number.NaN,
    row.h_weight_bits ?? Number.NaN,
    row.h_citation_bits ?? Number.NaN,
    row.lambda_nats ?? Number.NaN,
    row.level_map ?? 0,
    row.positive ? 1 : 0,
  );
}

function load(
  input: Float64Array,
  p1: number,
  p2: number,
  p3: number,
  rho: number,
  yes: number,
  weightBits: number,
  citationBits: number,
  lambdaNats: number,
  map: number,
  positive: number,
): void {
  const total = p1 + p2 + p3;
  const sound = p1 >= 0 && p2 >= 0 && p3 >= 0 && total > 0 && total < Number.POSITIVE_INFINITY;
  input[INPUT.p1] = sound ? p1 / total : Number.NaN;
  input[INPUT.p2] = sound ? p2 / total : Number.NaN;
  input[INPUT.p3] = sound ? p3 / total : Number.NaN;
  // Where P(No) or P(Yes) is 0, mode `paper` has no ρ but a σ(ρ) of 1 or 0.
  const logOdds = Number.isNaN(rho) ? Math.log(yes / (1 - yes)) : rho;
  input[INPUT.inverseLogOdds] = Math.min(INVERSE_LOG_ODDS_CLIP, Math.max(-INVERSE_LOG_ODDS_CLIP, logOdds));
  input[INPUT.weightBits] = Number.isFinite(weightBits) ? weightBits : Number.NaN;
  input[INPUT.citationBits] = Number.isFinite(citationBits) ? citationBits : Number.NaN;
  input[INPUT.mapLevel] = map >= 1 ? map : sound ? mostProbable(p1, p2, p3) : Number.NaN;
  input[INPUT.positive] = positive;
  input[INPUT.lambdaNats] = lambdaNats;
  input[INPUT.inverseYesProb] = yes;
}

/** A tie goes to the most severe level, as in λ. */
function mostProbable(p1: number, p2: number, p3: number): number {
  if (p3 >= p1 && p3 >= p2) return 3;
  return p2 >= p1 ? 2 : 1;
}

/** The features of the multinomial model, in this order. The most probable level is coded by two indicators; for level 1 both are 0. */
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
 * Undefined when: a feature whose input is absent is NaN in `out`, and a model that needs it returns null.
 * Differs from the paper: the paper uses only λ, H and σ(ρ), each with a fixed sign.
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

/** The chosen features of the given rows, row by row. */
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

/** ln p of the three levels of the given rows, clipped, row by row. */
export function logProbMatrix(columns: ScoreColumns, rows: Int32Array): Float64Array {
  const matrix = new Float64Array(rows.length * 3);
  const input = new Float64Array(INPUTS);
  for (let r = 0; r < rows.length; r += 1) {
    loadColumns(columns, rows[r]!, input);
    for (let level = 0; level < 3; level += 1) matrix[3 * r + level] = clippedLog(input[level]!);
  }
  return matrix;
}

/** ln p and ln(1−p), p = 1 − p(L3), of the given rows, clipped, row by row. */
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

/** Target levels of the given rows, whether each is defensible, and its weight (null: equal weights). */
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

/** A feature present in a smaller share of rows is dropped. Otherwise the rows without it are dropped. */
export const FEATURE_PRESENCE = 0.95;

export interface UsableRows {
  /** Rows with a target, probabilities and every kept feature. All methods are fitted and compared on these. */
  rows: Int32Array;
  features: FeatureName[];
  dropped: { feature: FeatureName; reason: string }[];
  skipped: { no_target: number; no_probabilities: number; missing_feature: number };
}

/** The rows a calibration can be fitted on, and why the others were skipped. */
export function usableRows(columns: ScoreColumns): UsableRows {
  const target = columns.targetLevel;
  const skipped = { no_target: 0, no_probabilities: 0, missing_feature: 0 };
  const width = FEATURES.length;
  const input = new Float64Array(INPUTS);
  const values = new Float64Array(width);
  const present = new Float64Array(width);
  const candidates = new Int32Array(columns.n);
  const lacking = new Uint8Array(columns.n);
  let count = 0;
  for (let i = 0; i < columns.n; i += 1) {
    if (!target || target[i]! < 1 || target[i]! > 3) {
      skipped.no_target += 1;
      continue;
    }
    loadColumns(columns, i, input);
    if (Number.isNaN(input[INPUT.p1]!)) {
      skipped.no_probabilities += 1;
      continue;
    }
    writeFeatures(input, values);
    let lacks = 0;
    for (let j = 0; j < width; j += 1) {
      if (Number.isNaN(values[j]!)) lacks |= 1 << j;
      else present[j]! += 1;
    }
    lacking[count] = lacks;
    candidates[count++] = i;
  }
  const keeps = FEATURES.map((_, j) => count > 0 && present[j]! >= FEATURE_PRESENCE * count);
  const needed = keeps.reduce((mask, keep, j) => (keep ? mask | (1 << j) : mask), 0);
  let kept = 0;
  for (let r = 0; r < count; r += 1) {
    if ((lacking[r]! & needed) !== 0) skipped.missing_feature += 1;
    else candidates[kept++] = candidates[r]!;
  }
  return {
    rows: candidates.slice(0, kept),
    features: FEATURES.filter((_, j) => keeps[j]),
    dropped: FEATURES.flatMap((feature, j) =>
      keeps[j] ? [] : [{ feature, reason: `on ${present[j]} of ${count} rows only` }],
    ),
    skipped,
  };
}
