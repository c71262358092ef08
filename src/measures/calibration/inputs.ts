import type { ScoreColumns, ScoreRow } from "./score-columns.js";

/** Places of the cleaned inputs of one audit in a Float64Array; NaN: absent. */
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

/** ρ is cut here: an answer with all its mass on Yes has an infinite ρ, one clipped at 1e-12 has 27.6; neither is twice as sure as 14. */
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
