/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export { baseRateEntropy } from "../measures/calibration/base-rate-entropy.js";
export { equalFrequencyEdges, equalWidthEdges, PAPER_BINS, unsplitEdges } from "../measures/calibration/bin-edges.js";
export { type BrierScore, brierScore } from "../measures/calibration/brier-score.js";
export {
  type BinSums,
  calibrationError,
  ece,
  maximumCalibrationError,
} from "../measures/calibration/calibration-error.js";
export type { CalibrationErrors } from "../measures/calibration/calibration-errors.js";
export { type CalibratedWith, calibrationFits } from "../measures/calibration/calibration-fits.js";
export {
  applyCalibration,
  applyToColumns,
  type BetaModel,
  type CalibrationModel,
  calibratedLevels,
  type IsotonicModel,
  type MultinomialModel,
  type PdsModel,
  type PlattModel,
  type PriorShift,
  type RawModel,
  type TargetClasses,
  type TemperatureModel,
  type VectorModel,
} from "../measures/calibration/calibration-model.js";
export type { CandidateResult } from "../measures/calibration/candidate-result.js";
export {
  type CalibrationChoice,
  type CalibrationRefusal,
  type ChooseOptions,
  chooseCalibration,
  EQUAL_LOSS,
  MAXIMUM_ROWS,
  MINIMUM_OF_CLASS,
  MINIMUM_ROWS,
} from "../measures/calibration/choose-calibration.js";
export { type ClasswiseError, type ClasswiseOptions, classwiseError } from "../measures/calibration/classwise-error.js";
export {
  type CalibrationComparison,
  type ComparedScore,
  type CompareOptions,
  compareCalibrations,
  type SharedLabels,
} from "../measures/calibration/compare-calibrations.js";
export { type CompiledCalibration, compileCalibration } from "../measures/calibration/compile-calibration.js";
export { crossValidate, type OutOfFold } from "../measures/calibration/cross-validate.js";
export { debiasedError } from "../measures/calibration/debiased-error.js";
export { deployedPrior, priorOfScores, withPrior } from "../measures/calibration/deployed-prior.js";
export { type EstimatedPrior, estimatePrior } from "../measures/calibration/estimate-prior.js";
export type { ReliabilityBin } from "../measures/calibration/evaluate-score.js";
export {
  type EvaluationOptions,
  evaluateScore,
  NULL_DRAWS,
  type ScoreEvaluation,
} from "../measures/calibration/evaluate-score.js";
export type { EvaluationIntervals } from "../measures/calibration/evaluation-intervals.js";
export { type ExtractionCheck, extractionCheck } from "../measures/calibration/extraction-check.js";
export {
  FEATURE_GROUPS,
  type FeatureGroup,
  type FeatureWorth,
  type FeatureWorths,
  featureWorth,
} from "../measures/calibration/feature-worth.js";
export { FEATURES, type FeatureName, featureMatrix, writeFeatures } from "../measures/calibration/features.js";
export { fitBeta } from "../measures/calibration/fit-beta.js";
export { fitIsotonic, ISOTONIC_MINIMUM } from "../measures/calibration/fit-isotonic.js";
export { fitMultinomial, MULTINOMIAL_L2, type MultinomialOptions } from "../measures/calibration/fit-multinomial.js";
export {
  fitPaper,
  type MethodResult,
  type PaperFit,
  type PaperFitOptions,
  type PaperMethod,
} from "../measures/calibration/fit-paper.js";
export { FINITE_OPTIMUM_L2, fitPlatt } from "../measures/calibration/fit-platt.js";
export { fitSimplex, type SimplexFit } from "../measures/calibration/fit-simplex.js";
export { fitSoftmax, type PaperSoftmaxFit } from "../measures/calibration/fit-softmax.js";
export { fitTemperature, TEMPERATURE_RANGE } from "../measures/calibration/fit-temperature.js";
export { fitVectorScaling } from "../measures/calibration/fit-vector-scaling.js";
export { groupedFolds, stratifiedFolds } from "../measures/calibration/grouped-folds.js";
export { type HeldOut, holdOut } from "../measures/calibration/hold-out.js";
export { INVERSE_LOG_ODDS_CLIP } from "../measures/calibration/inputs.js";
export { type LogLoss, logLoss } from "../measures/calibration/log-loss.js";
export { CALIBRATION_METHODS, type CalibrationMethod, fitMethod } from "../measures/calibration/methods.js";
export type { AgainstNull } from "../measures/calibration/null-distribution.js";
export { type Contribution, paperContributions } from "../measures/calibration/paper-contributions.js";
export {
  type EntropyComponent,
  type FitTarget,
  type PaperDesign,
  paperDesign,
  targetLevels,
} from "../measures/calibration/paper-design.js";
export { PAPER_LOSS_EPSILON, paperLoss } from "../measures/calibration/paper-loss.js";
export { defensibleTargets, paperScores } from "../measures/calibration/paper-scores.js";
export { classShares, priorFactors, reweightOdds } from "../measures/calibration/prior-shift.js";
export { type LogisticFit, ridgeLogistic } from "../measures/calibration/ridge-logistic.js";
export { ridgeSoftmax, type SoftmaxFit } from "../measures/calibration/ridge-softmax.js";
export type { ScoreColumns, ScoreRow } from "../measures/calibration/score-columns.js";
export { groupedMean } from "../measures/calibration/score-losses.js";
export { selectRows } from "../measures/calibration/select-rows.js";
export { type SmoothErrorOptions, smoothError } from "../measures/calibration/smooth-error.js";
export { type SpiegelhalterTest, spiegelhalterTest } from "../measures/calibration/spiegelhalter-test.js";
export {
  hasTwoClassesOnly,
  isTwoClass,
  TWO_CLASS_METHODS,
  twoClassColumns,
} from "../measures/calibration/two-class-columns.js";
export {
  type RowIds,
  scoreParts,
  type UnseenPart,
  type UnseenParts,
  unseenParts,
} from "../measures/calibration/unseen-scores.js";
export { FEATURE_PRESENCE, type UsableRows, usableRows } from "../measures/calibration/usable-rows.js";
export { weightedAuroc } from "../measures/calibration/weighted-auroc.js";
