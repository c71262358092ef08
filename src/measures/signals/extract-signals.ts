import type { Generation, Token } from "../../core/records/case.js";
import { type Alignment, alignTokens, locateTokens } from "./align-tokens.js";
import { logprobTemperature, whyNoProbabilities } from "./candidates.js";
import { citationEntropy } from "./citation-entropy.js";
import {
  inverseLogOdds,
  labelConfidence,
  missingLabelSensitivity,
  probabilisticDefensibilitySignal,
  weightEntropy,
} from "./components.js";
import { answerOutcome, type SignalResult, unscored, verdictOnly } from "./extract-sampled.js";
import { locateLabel, type MissingMode, readLabel } from "./label-distribution.js";
import { readTrace, type TraceReading } from "./read-trace.js";
import type { Weights } from "./weights.js";

/**
 * The same generation with candidates only where signals read them: at the three labels and inside the citation. `extractSignals` gives the same
 * result for both, and the stored data is some ten times smaller. If one of the four places cannot be found, everything is kept: a later version
 * may read such an answer better.
 */
export function trimGeneration(generation: Generation): Generation {
  const { text, tokens } = generation;
  if (tokens === null || tokens.length === 0) return generation;
  const reading = readTrace(text);
  READINGS.set(generation, reading);
  const { fields, ascii, tooLong } = reading;
  if (tooLong !== null) return { ...generation, tokens: null };
  const { defensibility_level, precedent_weight, inverse_check, policy_citation } = fields;
  if (!defensibility_level || !precedent_weight || !inverse_check || !policy_citation) return generation;
  const alignment = alignTokens(tokens, text, ascii, generation.joined);
  const labels = [defensibility_level, precedent_weight, inverse_check].map((span) => locateLabel(alignment, span));
  const citation = locateTokens(alignment, policy_citation);
  if (labels.includes(-1) || !citation.certain) return generation;
  const isRead = (at: number) => (at >= citation.first && at < citation.end) || labels.includes(at);
  // If the texts alone give every position, no other bytes are read.
  const byText = generation.joined === true && ascii;
  return { ...generation, tokens: tokens.map((token, at) => (isRead(at) ? token : withoutTop(token, byText))) };
}

/** Readings of answers that are stored before their signals are extracted. Each is returned only once, because the caller may modify it. */
const READINGS = new WeakMap<Generation, TraceReading>();

const NO_TOP: Token["top"] = [];

function withoutTop(token: Token, withoutBytes: boolean): Token {
  const { text, logprob } = token;
  const bytes = withoutBytes ? undefined : token.bytes;
  return bytes === undefined ? { text, logprob, top: NO_TOP } : { text, bytes, logprob, top: NO_TOP };
}

export interface ExtractOptions {
  weights: Weights;
  /** How to treat a label outside the candidates. Default `floor`. */
  missing?: MissingMode;
}

/**
 * Everything that an audit record takes from one answer: the verdict from its text, the signals from its token probabilities. An answer without a
 * valid level and inverse check is unscored and has no signals; a verdict without probabilities is still a verdict.
 * @see paper §4.2, Appendix A.2 and B
 */
export function extractSignals(generation: Generation, options: ExtractOptions): SignalResult {
  const reading = READINGS.get(generation) ?? readTrace(generation.text);
  READINGS.delete(generation);
  const answer = answerOutcome(generation, reading);
  const result = verdictOnly(answer, reading.trace);
  if (answer.outcome === "verdict") {
    const problem = readProbabilities(generation, reading, options, result);
    if (problem) return verdictOnly(unscored("not_probabilities", `token probabilities: ${problem}`), reading.trace);
    if (result.pds === null) result.flags.push("no_signal");
    else if (!options.weights.calibrated) result.flags.push("uncalibrated");
  }
  return result;
}

/** Fills in the signals; returns, in words, what is wrong with invalid probabilities. */
function readProbabilities(
  generation: Generation,
  reading: TraceReading,
  { weights, missing = "floor" }: ExtractOptions,
  result: SignalResult,
): string | null {
  const { text, tokens } = generation;
  if (tokens === null || tokens.length === 0) return null;
  const alignment = alignTokens(tokens, text, reading.ascii, generation.joined);
  const problem = findNoProbabilities(tokens, alignment, reading);
  if (problem) return problem;
  const { defensibility_level, precedent_weight, inverse_check, policy_citation } = reading.fields;
  const level = readLabel(generation, tokens, alignment, "level", defensibility_level, missing);
  const weight = readLabel(generation, tokens, alignment, "weight", precedent_weight, missing);
  const inverse = readLabel(generation, tokens, alignment, "inverse", inverse_check, missing);
  const temperature = logprobTemperature(generation);
  const citation = policy_citation ? citationEntropy(tokens, alignment, text, policy_citation, temperature) : null;
  const { flags } = result;

  result.logprob_space = generation.space;
  result.label_mass = {
    level: level?.mass ?? null,
    weight: weight?.mass ?? null,
    inverse: inverse?.mass ?? null,
  };
  if (level) {
    const confidence = labelConfidence(level.probs);
    const [p1, p2, p3] = level.probs as [number, number, number];
    result.level_probs = [p1, p2, p3];
    result.p_defensible = Math.min(1, p1 + p2);
    result.level_map = confidence.level;
    result.lambda_nats = confidence.lambda_nats;
    if (confidence.tie) flags.push("tie");
  }
  if (weight) result.h_weight_bits = weightEntropy(weight.probs);
  if (inverse) {
    const odds = inverseLogOdds(inverse.probs, missing);
    result.inverse_log_odds = odds.log_odds;
    result.inverse_yes_prob = odds.yes_prob;
  }
  if (citation) {
    result.h_citation_bits = citation.bits;
    result.citation_tokens = citation.tokens;
    result.citation_spans = citation.spans;
    result.tail_mass = citation.tail_mass;
    result.entropy_support = generation.support;
    if (reading.fallback) flags.push("fallback_span");
  }
  result.pds = probabilisticDefensibilitySignal(result, weights);
  const sensitivity = missingLabelSensitivity({ level, weight, inverse }, result.h_citation_bits, weights);
  if (sensitivity) result.sensitivity = sensitivity;

  if (level?.lowMass || weight?.lowMass || inverse?.lowMass) flags.push("low_mass");
  if (level?.censored || weight?.censored || inverse?.censored) flags.push("censored");
  if (generation.space === "unknown") flags.push("unknown_space");
  return null;
}

/** Why the values at the tokens that signals are read from cannot be log probabilities; null if they can. */
function findNoProbabilities(tokens: readonly Token[], alignment: Alignment, { fields }: TraceReading): string | null {
  for (const span of [fields.defensibility_level, fields.precedent_weight, fields.inverse_check]) {
    const at = span ? locateLabel(alignment, span) : -1;
    const problem = at < 0 ? null : whyNoProbabilities(tokens[at]!);
    if (problem) return problem;
  }
  const cited = fields.policy_citation ? locateTokens(alignment, fields.policy_citation) : { first: 0, end: 0 };
  for (let i = cited.first; i < cited.end; i++) {
    const problem = whyNoProbabilities(tokens[i]!);
    if (problem) return problem;
  }
  return null;
}
