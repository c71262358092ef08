export { baseRateEntropy } from "./base-rate-entropy.js";
export { equalFrequencyEdges, equalWidthEdges, PAPER_BINS, unsplitEdges } from "./bin-edges.js";
export { type BrierScore, brierScore } from "./brier-score.js";
export { type BinSums, calibrationError, ece, maximumCalibrationError } from "./calibration-error.js";
export type { CalibrationErrors } from "./calibration-errors.js";
export { type CalibratedWith, calibrationFits } from "./calibration-fits.js";
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
} from "./calibration-model.js";
export type { CandidateResult } from "./candidate-result.js";
export {
  type CalibrationChoice,
  type CalibrationRefusal,
  type ChooseOptions,
  chooseCalibration,
  EQUAL_LOSS,
  MAXIMUM_ROWS,
  MINIMUM_OF_CLASS,
  MINIMUM_ROWS,
} from "./choose-calibration.js";
export { type ClasswiseError, type ClasswiseOptions, classwiseError } from "./classwise-error.js";
export {
  type CalibrationComparison,
  type ComparedScore,
  type CompareOptions,
  compareCalibrations,
  type SharedLabels,
} from "./compare-calibrations.js";
export { type CompiledCalibration, compileCalibration } from "./compile-calibration.js";
export { crossValidate, type OutOfFold } from "./cross-validate.js";
export { debiasedError } from "./debiased-error.js";
export { deployedPrior, priorOfScores, withPrior } from "./deployed-prior.js";
export { type EstimatedPrior, estimatePrior } from "./estimate-prior.js";
export { type EvaluationOptions, evaluateScore, NULL_DRAWS, type ScoreEvaluation } from "./evaluate-score.js";
export type { EvaluationIntervals } from "./evaluation-intervals.js";
export { type ExtractionCheck, extractionCheck } from "./extraction-check.js";
export {
  FEATURE_GROUPS,
  type FeatureGroup,
  type FeatureWorth,
  type FeatureWorths,
  featureWorth,
} from "./feature-worth.js";
export { FEATURES, type FeatureName, featureMatrix, writeFeatures } from "./features.js";
export { fitBeta } from "./fit-beta.js";
export { fitIsotonic, ISOTONIC_MINIMUM } from "./fit-isotonic.js";
export { fitMultinomial, MULTINOMIAL_L2, type MultinomialOptions } from "./fit-multinomial.js";
export { fitPaper, type MethodResult, type PaperFit, type PaperFitOptions, type PaperMethod } from "./fit-paper.js";
export { FINITE_OPTIMUM_L2, fitPlatt } from "./fit-platt.js";
export { fitSimplex, type SimplexFit } from "./fit-simplex.js";
export { fitSoftmax, type PaperSoftmaxFit } from "./fit-softmax.js";
export { fitTemperature, TEMPERATURE_RANGE } from "./fit-temperature.js";
export { fitVectorScaling } from "./fit-vector-scaling.js";
export { groupedFolds, stratifiedFolds } from "./grouped-folds.js";
export { type HeldOut, holdOut } from "./hold-out.js";
export { INVERSE_LOG_ODDS_CLIP } from "./inputs.js";
export { type LogLoss, logLoss } from "./log-loss.js";
export { CALIBRATION_METHODS, type CalibrationMethod, fitMethod } from "./methods.js";
export type { AgainstNull } from "./null-distribution.js";
export { type Contribution, paperContributions } from "./paper-contributions.js";
export { type EntropyComponent, type FitTarget, type PaperDesign, paperDesign, targetLevels } from "./paper-design.js";
export { PAPER_LOSS_EPSILON, paperLoss } from "./paper-loss.js";
export { defensibleTargets, paperScores } from "./paper-scores.js";
export { classShares, priorFactors, reweightOdds } from "./prior-shift.js";
export type { ReliabilityBin } from "./reliability-table.js";
export { type LogisticFit, ridgeLogistic } from "./ridge-logistic.js";
export { ridgeSoftmax, type SoftmaxFit } from "./ridge-softmax.js";
export type { ScoreColumns, ScoreRow } from "./score-columns.js";
export { groupedMean } from "./score-losses.js";
export { selectRows } from "./select-rows.js";
export { type SmoothErrorOptions, smoothError } from "./smooth-error.js";
export { type SpiegelhalterTest, spiegelhalterTest } from "./spiegelhalter-test.js";
export { hasTwoClassesOnly, isTwoClass, TWO_CLASS_METHODS, twoClassColumns } from "./two-class-columns.js";
export { type RowIds, scoreParts, type UnseenPart, type UnseenParts, unseenParts } from "./unseen-scores.js";
export { FEATURE_PRESENCE, type UsableRows, usableRows } from "./usable-rows.js";
export { weightedAuroc } from "./weighted-auroc.js";
