/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export { type Alignment, alignTokens, locateTokens, type TokenRange } from "../measures/signals/align-tokens.js";
export { candidatesAt, logprobTemperature, SENTINEL_LOGPROB } from "../measures/signals/candidates.js";
export { categoryOf, type LabelField, temperToUnit } from "../measures/signals/categories.js";
export { type CitationEntropy, citationEntropy, normaliseCitation } from "../measures/signals/citation-entropy.js";
export * from "../measures/signals/extract-sampled.js";
export { type ExtractOptions, extractSignals, trimGeneration } from "../measures/signals/extract-signals.js";
export { type InverseLogOdds, inverseLogOdds, LOG_CLIP } from "../measures/signals/inverse-log-odds.js";
export * from "../measures/signals/label-confidence.js";
export * from "../measures/signals/label-distribution.js";
export * from "../measures/signals/probabilistic-defensibility-signal.js";
export { type FieldSpan, readTrace, type TraceField, type TraceReading } from "../measures/signals/read-trace.js";
export { type DrawCounts, sampledErrors } from "../measures/signals/sampled-errors.js";
export { parseInverse, parseLevel, parsePrecedentWeight } from "../measures/signals/scan-object.js";
export { type SignalContribution, type SignalResult, signalContributions } from "../measures/signals/signal-result.js";
export { weightEntropy } from "../measures/signals/weight-entropy.js";
export * from "../measures/signals/weights.js";
