import type { Audit, Flag } from "../../core/records/audit.js";
import type { Level } from "../../core/records/level.js";
import type { PartialTrace } from "../../core/records/trace.js";
import type { MissingLabelSensitivity } from "./missing-label-sensitivity.js";
import type { AnswerOutcome, UnscoredCode } from "./read-draws.js";

/** What one answer says, in the fields of an audit record. Numbers are finite or null. */
export interface SignalResult {
  outcome: "verdict" | "unscored";
  error: { code: UnscoredCode; message: string } | null;
  trace: PartialTrace;
  level: Level | null;
  inverse: boolean | null;
  level_probs: [number, number, number] | null;
  level_map: Level | null;
  lambda_nats: number | null;
  h_weight_bits: number | null;
  h_citation_bits: number | null;
  citation_tokens: number | null;
  citation_spans: [string, number][] | null;
  entropy_support: "top_k" | "vocab" | null;
  inverse_log_odds: number | null;
  inverse_yes_prob: number | null;
  pds: number | null;
  p_defensible: number | null;
  label_mass: { level: number | null; weight: number | null; inverse: number | null } | null;
  tail_mass: number | null;
  logprob_space: Audit["logprob_space"] | null;
  flags: Flag[];
  /** S under three assumptions about labels outside the candidates; present only where they differ by more than 0.01. */
  sensitivity?: MissingLabelSensitivity;
}

/** What an answer's text alone says; every signal is still absent. */
export function verdictOnly(answer: AnswerOutcome, trace: PartialTrace): SignalResult {
  return {
    outcome: answer.outcome,
    error: answer.error,
    trace,
    level: answer.level,
    inverse: answer.inverse,
    level_probs: null,
    level_map: null,
    lambda_nats: null,
    h_weight_bits: null,
    h_citation_bits: null,
    citation_tokens: null,
    citation_spans: null,
    entropy_support: null,
    inverse_log_odds: null,
    inverse_yes_prob: null,
    pds: null,
    p_defensible: null,
    label_mass: null,
    tail_mass: null,
    logprob_space: null,
    flags: [],
  };
}
