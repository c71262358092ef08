/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export { type Alignment, alignTokens, locateTokens, type TokenRange } from "../measures/signals/align-tokens.js";
export { candidatesAt, logprobTemperature, SENTINEL_LOGPROB } from "../measures/signals/candidates.js";
export { categoryOf, type LabelField, temperToUnit } from "../measures/signals/categories.js";
export { type CitationEntropy, citationEntropy, normaliseCitation } from "../measures/signals/citation-entropy.js";
export {
  type AnswerOutcome,
  answerOutcome,
  extractSampled,
  type SampledOptions,
  type SampledResult,
  UNSCORED_CODES,
  type UnscoredCode,
} from "../measures/signals/extract-sampled.js";
export { type ExtractOptions, extractSignals, trimGeneration } from "../measures/signals/extract-signals.js";
export { type InverseLogOdds, inverseLogOdds, LOG_CLIP } from "../measures/signals/inverse-log-odds.js";
export {
  type LabelConfidence,
  labelConfidence,
  type MissingLabelSensitivity,
  SENSITIVITY_REPORTED,
} from "../measures/signals/label-confidence.js";
export {
  type LabelDistribution,
  type LabelOptions,
  LOW_LABEL_MASS,
  labelDistribution,
  type MissingMode,
} from "../measures/signals/label-distribution.js";
export {
  probabilisticDefensibilitySignal,
  type SignalComponents,
} from "../measures/signals/probabilistic-defensibility-signal.js";
export { type FieldSpan, readTrace, type TraceField, type TraceReading } from "../measures/signals/read-trace.js";
export { type DrawCounts, sampledErrors } from "../measures/signals/sampled-errors.js";
export { parseInverse, parseLevel, parsePrecedentWeight } from "../measures/signals/scan-object.js";
export type { SignalResult } from "../measures/signals/signal-result.js";
export { type SignalContribution, signalContributions } from "../measures/signals/signal-result.js";
export { weightEntropy } from "../measures/signals/weight-entropy.js";
export {
  EQUAL_WEIGHTS,
  PAPER_CITATION_WEIGHTS,
  PAPER_WEIGHTS,
  PAPER_WEIGHTS_FILE,
  parseWeights,
  WEIGHT_SUM_TOLERANCE,
  type Weights,
} from "../measures/signals/weights.js";
