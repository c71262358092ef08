/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export * from "../measures/signals/align-tokens.js";
export {
  candidatesAt,
  categoryOf,
  type LabelField,
  logprobTemperature,
  SENTINEL_LOGPROB,
  temperToUnit,
} from "../measures/signals/candidates.js";
export { type CitationEntropy, citationEntropy, normaliseCitation } from "../measures/signals/citation-entropy.js";
export * from "../measures/signals/components.js";
export {
  type AnswerOutcome,
  answerOutcome,
  extractSampled,
  type SampledOptions,
  type SampledResult,
  type SignalResult,
  UNSCORED_CODES,
  type UnscoredCode,
  unscored,
  type ValidDraw,
} from "../measures/signals/extract-sampled.js";
export { type ExtractOptions, extractSignals, trimGeneration } from "../measures/signals/extract-signals.js";
export {
  fillMissing,
  type LabelDistribution,
  type LabelOptions,
  LOW_LABEL_MASS,
  labelDistribution,
  type MissingMode,
} from "../measures/signals/label-distribution.js";
export * from "../measures/signals/read-trace.js";
export { type DrawCounts, sampledErrors } from "../measures/signals/sampled-errors.js";
export { parseInverse, parseLevel, parsePrecedentWeight } from "../measures/signals/scan-object.js";
export * from "../measures/signals/weights.js";
