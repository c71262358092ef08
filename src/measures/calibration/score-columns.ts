/**
 * The verdicts of a run as columns, for everything that is fitted or measured on single rows. Inside these arrays, and nowhere else, NaN
 * stands for "absent": a typed array knows no null. Nothing of it reaches a record or a file.
 */
export interface ScoreColumns {
  n: number;
  /** Emitted level, 1 to 3. */
  level: Uint8Array;
  /** Most probable level, 0 where there are no probabilities. */
  levelMap: Uint8Array;
  /** 1: the opposite decision could be defended too. */
  inverse: Uint8Array;
  /** 1: the decision restricts. */
  positive: Uint8Array;
  /** Probabilities of the levels. */
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  /** λ, nats. */
  lambdaNats: Float64Array;
  /** H[w], bits. */
  weightBits: Float64Array;
  /** H[κ], bits per token. */
  citationBits: Float64Array;
  /** ρ, nats; may be ±∞. */
  inverseLogOdds: Float64Array;
  /** σ(ρ). */
  inverseYesProb: Float64Array;
  pds: Float64Array;
  pDefensible: Float64Array;
  temperature: Float64Array;
  /** Index into `communities`. */
  community: Int32Array;
  communities: readonly string[];
  /** 1, 2, 3: what somebody else said of the decision (see `target`); 0: nothing. Absent where no target was loaded. */
  targetLevel?: Uint8Array;
  /** How much each row with a target counts, mean 1 over these, 0 for the others. Absent where all count the same. */
  targetWeight?: Float64Array;
  /** 1: the row is of the part that was held out. Absent where nothing was asked to be. */
  heldOut?: Uint8Array;
}

/** What a calibration may look at in one audit; the field names are those of the audit format. */
export interface ScoreRow {
  level_probs: readonly [number, number, number] | null;
  level_map: number | null;
  lambda_nats: number | null;
  h_weight_bits: number | null;
  h_citation_bits: number | null;
  inverse_log_odds: number | null;
  inverse_yes_prob: number | null;
  /** The decision restricts. */
  positive: boolean;
}
