import type { Audit, Flag, PartialTrace } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import type { Level } from "../../core/records/level.js";
import { jeffreysProbabilities } from "../../stats/intervals/proportion.js";
import { millerMadowEntropy } from "../../stats/optimise/entropy.js";
import { normaliseCitation } from "./citation-entropy.js";
import {
  inverseLogOdds,
  labelConfidence,
  type MissingLabelSensitivity,
  probabilisticDefensibilitySignal,
  weightEntropy,
} from "./components.js";
import { readTrace, type TraceReading } from "./read-trace.js";
import { type DrawCounts, sampledErrors } from "./sampled-errors.js";

import type { Weights } from "./weights.js";

/** Why an answer is not a verdict. */
export const UNSCORED_CODES = [
  "refused",
  "filtered",
  "too_long",
  "empty",
  "truncated",
  "not_json",
  "no_level",
  "bad_level",
  "no_inverse",
  "bad_inverse",
  "not_probabilities",
] as const;
export type UnscoredCode = (typeof UNSCORED_CODES)[number];

export type AnswerOutcome =
  | { outcome: "verdict"; error: null; level: Level; inverse: boolean }
  | { outcome: "unscored"; error: { code: UnscoredCode; message: string }; level: null; inverse: null };

/** A verdict has a valid level and a valid inverse check; any other answer cannot be scored and gets a reason. */
export function answerOutcome(generation: Pick<Generation, "text" | "finish">, reading: TraceReading): AnswerOutcome {
  if (generation.finish === "refusal") return unscored("refused", "answer: the model refused");
  if (generation.finish === "filter") return unscored("filtered", "answer: stopped by the provider's content filter");
  if (generation.finish === "too_long") return unscored("too_long", "answer: larger than what is read of one");
  if (reading.tooLong !== null) return unscored("too_long", reading.tooLong);
  const { defensibility_level: level, inverse_check: inverse } = reading.trace;
  if (level !== null && inverse !== null) return { outcome: "verdict", error: null, level, inverse: inverse === "Yes" };
  if (generation.text.trim() === "") return unscored("empty", "answer: is empty");

  const text = reading.problems.join("; ");
  if (level === null && reading.fields.defensibility_level) return unscored("bad_level", text);
  if (inverse === null && reading.fields.inverse_check) return unscored("bad_inverse", text);
  if (generation.finish === "length" || reading.object === "open") return unscored("truncated", text);
  if (reading.object === "none" || reading.object === "broken") return unscored("not_json", text);
  return level === null ? unscored("no_level", text) : unscored("no_inverse", text);
}

export function unscored(code: UnscoredCode, message: string): AnswerOutcome {
  return { outcome: "unscored", error: { code, message }, level: null, inverse: null };
}

/** The text of one of several answers to the same question, as read. */
interface Draw {
  answer: AnswerOutcome;
  reading: TraceReading;
}

/** A draw with a valid level and inverse check, as category indices in the order of each field's label distribution. */
export interface ValidDraw {
  level: number;
  inverse: number;
  /** -1 if the answer gives no valid weight. */
  weight: number;
  /** "" if the answer cites nothing. */
  citation: string;
}

const WEIGHTS: readonly (string | null)[] = ["High", "Medium", "Low"];

function readDraw(generation: Generation): Draw {
  const reading = readTrace(generation.text);
  return { answer: answerOutcome(generation, reading), reading };
}

/** The draws that are verdicts. */
function validDraws(draws: readonly Draw[], citationKey: (citation: string) => string): ValidDraw[] {
  const valid: ValidDraw[] = [];
  for (const { answer, reading } of draws) {
    if (answer.outcome !== "verdict") continue;
    const { policy_citation, precedent_weight } = reading.trace;
    valid.push({
      level: answer.level - 1,
      inverse: answer.inverse ? 0 : 1,
      weight: WEIGHTS.indexOf(precedent_weight),
      citation: policy_citation ? citationKey(policy_citation) : "",
    });
  }
  return valid;
}

/** How often each of `categories` was drawn; -1 is not counted. */
function countDraws(drawn: readonly number[], categories: number): number[] {
  const counts = new Array<number>(categories).fill(0);
  for (const category of drawn) if (category >= 0) counts[category]!++;
  return counts;
}

/** The combined result of several answers to one question, in the fields of one audit record. */
export interface SampledResult extends SignalResult {
  /** Draws that were verdicts: K of the formulas. */
  samples: number;
  /** Standard errors by field name; `p_1`, `p_2`, `p_3` for the members of `level_probs`. Empty if there are no signals. */
  se: Record<string, number>;
  /** Entropy over citations, bits per citation. */
  h_citation_sampled_bits: number | null;
}

export interface SampledOptions {
  weights: Weights;
  /** The key by which citations count as the same, such as the rule found. Default: their normalised text. An empty key is not counted. */
  citationKey?: (citation: string) => string;
}

/**
 * The signals of one decision from K draws of its audit, for models without token probabilities: the frequency of each label replaces its
 * probability.
 *
 * Formula: p(l) = (k_l + 1/2) / (K + m/2) over the m labels of a field (`jeffreysProbabilities`); λ, H[w], ρ, σ(ρ), S and p_defensible from these
 * as from token probabilities; entropy over citations by `millerMadowEntropy`; standard errors by `sampledErrors`.
 * Range: λ in [−ln 3, ln(1 − 2/(2K + 3))], |ρ| ≤ ln(2K + 1), σ(ρ) and p(l) inside (0, 1): smoothing keeps what K draws cannot exclude. With one
 * draw the prior dominates (0.6 for the level drawn), and `se` shows it.
 * Undefined when: draw 0 is not a verdict: the record is unscored, as in the other modes, and has no signals; using the first draw that is a
 * verdict would make this mode's outcomes incomparable. Draws that are not verdicts are left out of the frequencies; `samples` counts the others.
 * There is no H[κ] per token here, so S is null (flag `no_signal`) with weights for `h_kappa`.
 * RangeError without draws.
 * Differs from the paper: the paper reads token probabilities. Those are conditional on the trace written so far; frequencies are over whole
 * traces, p(ξ | C, R, P, ŷ) as the paper writes it, at the temperature of the draws. Values of the two modes are not comparable, and draws that
 * cannot differ (temperature 0) make frequencies meaningless.
 * @see paper §4.2
 * @example extractSampled([{ text: '{"inverse_check":"No","defensibility_level":2}', finish: "stop" }], { weights: {} }).level_probs // => [0.2, 0.6, 0.2]
 */
export function extractSampled(generations: readonly Generation[], options: SampledOptions): SampledResult {
  const { weights, citationKey = normaliseCitation } = options;
  if (generations.length === 0) throw new RangeError("draws: none; got 0 generations, expected at least 1");
  const draws = generations.map(readDraw);
  const { answer, reading } = draws[0]!;
  const valid = validDraws(draws, citationKey);
  const result: SampledResult = {
    ...verdictOnly(answer, reading.trace),
    samples: valid.length,
    se: {},
    h_citation_sampled_bits: null,
  };
  if (answer.outcome === "verdict") estimate(valid, weights, result);
  return result;
}

function estimate(draws: readonly ValidDraw[], weights: Weights, result: SampledResult): void {
  const counts: DrawCounts = {
    level: countDraws(column(draws, "level"), 3),
    weight: countDraws(column(draws, "weight"), 3),
    inverse: countDraws(column(draws, "inverse"), 2),
    citation: countTexts(draws.map((draw) => draw.citation)),
  };
  const [p1, p2, p3] = jeffreysProbabilities(counts.level) as [number, number, number];
  const confidence = labelConfidence([p1, p2, p3]);
  result.level_probs = [p1, p2, p3];
  result.p_defensible = p1 + p2;
  result.level_map = confidence.level;
  result.lambda_nats = confidence.lambda_nats;
  if (confidence.tie) result.flags.push("tie");
  if (counts.weight.some((count) => count > 0)) {
    result.h_weight_bits = weightEntropy(jeffreysProbabilities(counts.weight));
  }
  const odds = inverseLogOdds(jeffreysProbabilities(counts.inverse));
  result.inverse_log_odds = odds.log_odds;
  result.inverse_yes_prob = odds.yes_prob;
  result.h_citation_sampled_bits = millerMadowEntropy(counts.citation);
  result.pds = probabilisticDefensibilitySignal(result, weights);
  if (result.pds === null) result.flags.push("no_signal");
  else if (!weights.calibrated) result.flags.push("uncalibrated");
  result.se = sampledErrors(counts, draws, result.pds, weights);
}

function column(draws: readonly ValidDraw[], name: "level" | "weight" | "inverse"): number[] {
  return draws.map((draw) => draw[name]);
}

function countTexts(texts: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== "") counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts.values()];
}

/** The result of one answer, in the fields of an audit record. Numbers are finite or null. */
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
  /** S under three assumptions about labels outside the candidates; present only if they differ by more than 0.01. */
  sensitivity?: MissingLabelSensitivity;
}

/** The result from an answer's text alone, without any signals. */
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
