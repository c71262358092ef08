/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export * from "../measures/calibration/calibration-model.js";
export type { CandidateResult } from "../measures/calibration/candidate-result.js";
export * from "../measures/calibration/choose-calibration.js";
export * from "../measures/calibration/compare-calibrations.js";
export * from "../measures/calibration/compile-calibration.js";
export {
  type BinSums,
  calibrationError,
  debiasedError,
  ece,
  equalFrequencyEdges,
  equalWidthEdges,
  PAPER_BINS,
  unsplitEdges,
} from "../measures/calibration/errors/calibration-error.js";
export {
  type AgainstNull,
  type CalibrationErrors,
  type SpiegelhalterTest,
  spiegelhalterTest,
} from "../measures/calibration/errors/calibration-errors.js";
export * from "../measures/calibration/errors/classwise-error.js";
export * from "../measures/calibration/errors/evaluate-score.js";
export type { EvaluationIntervals } from "../measures/calibration/errors/evaluation-intervals.js";
export { groupedMean } from "../measures/calibration/errors/score-cells.js";
export { type SmoothErrorOptions, smoothError } from "../measures/calibration/errors/smooth-error.js";
export * from "../measures/calibration/errors/weighted-auroc.js";
export * from "../measures/calibration/feature-worth.js";
export {
  FEATURE_PRESENCE,
  FEATURES,
  type FeatureName,
  featureMatrix,
  INVERSE_LOG_ODDS_CLIP,
  type UsableRows,
  usableRows,
  writeFeatures,
} from "../measures/calibration/features.js";
export * from "../measures/calibration/fit/methods.js";
export * from "../measures/calibration/fit/platt.js";
export { type LogisticFit, ridgeLogistic, ridgeSoftmax, type SoftmaxFit } from "../measures/calibration/fit/ridge.js";
export { fitTemperature, fitVectorScaling, TEMPERATURE_RANGE } from "../measures/calibration/fit/temperature.js";
export { groupedFolds, type HeldOut, holdOut, stratifiedFolds } from "../measures/calibration/folds.js";
export {
  type Contribution,
  defensibleTargets,
  type EntropyComponent,
  type FitTarget,
  type PaperDesign,
  paperContributions,
  paperDesign,
  paperScores,
  targetLevels,
} from "../measures/calibration/paper/design.js";
export { type ExtractionCheck, extractionCheck } from "../measures/calibration/paper/extraction-check.js";
export * from "../measures/calibration/paper/fit-paper.js";
export { fitSimplex, type SimplexFit } from "../measures/calibration/paper/fit-simplex.js";
export * from "../measures/calibration/paper/loss.js";
export * from "../measures/calibration/prior-shift.js";
export { type ScoreColumns, type ScoreRow, selectRows } from "../measures/calibration/score-columns.js";
