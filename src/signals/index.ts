export { type Alignment, alignTokens } from "./align-tokens.js";
export { type AnswerOutcome, answerOutcome, UNSCORED_CODES, type UnscoredCode } from "./answer-outcome.js";
export { candidatesAt, logprobTemperature } from "./candidates.js";
export { categoryOf, type LabelField } from "./categories.js";
export { type CitationEntropy, citationEntropy } from "./citation-entropy.js";
export { extractSampled, type SampledOptions, type SampledResult } from "./extract-sampled.js";
export { type ExtractOptions, extractSignals } from "./extract-signals.js";
export { parseInverse, parseLevel, parsePrecedentWeight } from "./field-values.js";
export { type InverseLogOdds, inverseLogOdds, LOG_CLIP } from "./inverse-log-odds.js";
export { type LabelConfidence, labelConfidence } from "./label-confidence.js";
export {
  type LabelDistribution,
  type LabelOptions,
  LOW_LABEL_MASS,
  labelDistribution,
  type MissingMode,
} from "./label-distribution.js";
export { locateTokens, type TokenRange } from "./locate-tokens.js";
export { SENTINEL_LOGPROB } from "./logprob.js";
export { type MissingLabelSensitivity, SENSITIVITY_REPORTED } from "./missing-label-sensitivity.js";
export { normaliseCitation } from "./normalise-citation.js";
export { probabilisticDefensibilitySignal, type SignalComponents } from "./probabilistic-defensibility-signal.js";
export { type FieldSpan, readTrace, type TraceField, type TraceReading } from "./read-trace.js";
export { type DrawCounts, sampledErrors } from "./sampled-errors.js";
export { type SignalContribution, signalContributions } from "./signal-contributions.js";
export type { SignalResult } from "./signal-result.js";
export { temperToUnit } from "./temper-to-unit.js";
export { trimGeneration } from "./trim-generation.js";
export { weightEntropy } from "./weight-entropy.js";
export {
  EQUAL_WEIGHTS,
  PAPER_CITATION_WEIGHTS,
  PAPER_WEIGHTS,
  PAPER_WEIGHTS_FILE,
  parseWeights,
  WEIGHT_SUM_TOLERANCE,
  type Weights,
} from "./weights.js";
