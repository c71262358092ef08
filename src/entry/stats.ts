/**
 * Distributions, intervals, tests, ranks, resampling and random numbers, without I/O.
 * @packageDocumentation
 */

export { type BetaBinomialFit, betaBinomialFit, ENOUGH_COHORTS } from "../stats/distributions/beta-binomial-fit.js";
export { betaBinomialLogLikelihood } from "../stats/distributions/beta-binomial-log-likelihood.js";
export { type BetaMixture, posteriorBeta, posteriorExceeds } from "../stats/distributions/beta-mixture.js";
export { betaQuantile } from "../stats/distributions/beta-quantile.js";
export { binomialCdf } from "../stats/distributions/binomial-cdf.js";
export { binomialPmf } from "../stats/distributions/binomial-pmf.js";
export { digamma } from "../stats/distributions/digamma.js";
export { incompleteBeta } from "../stats/distributions/incomplete-beta.js";
export { incompleteGamma } from "../stats/distributions/incomplete-gamma.js";
export { logBeta } from "../stats/distributions/log-beta.js";
export { logGamma } from "../stats/distributions/log-gamma.js";
export { logRisingFactorial } from "../stats/distributions/log-rising-factorial.js";
export { logSumExp } from "../stats/distributions/log-sum-exp.js";
export { logitNormalLocation } from "../stats/distributions/logit-normal-location.js";
export { logitNormalMean } from "../stats/distributions/logit-normal-mean.js";
export { normalCdf } from "../stats/distributions/normal-cdf.js";
export { normalQuantile } from "../stats/distributions/normal-quantile.js";
export { studentTCdf } from "../stats/distributions/student-t-cdf.js";
export { studentTQuantile } from "../stats/distributions/student-t-quantile.js";
export { trigamma } from "../stats/distributions/trigamma.js";
export { clopperPearsonBound } from "../stats/intervals/clopper-pearson-bound.js";
export { clopperPearsonInterval } from "../stats/intervals/clopper-pearson-interval.js";
export { clusterJackknife, effectiveClusters } from "../stats/intervals/cluster-jackknife.js";
export { clusteredProportion, MANY_CLUSTERS } from "../stats/intervals/clustered-proportion.js";
export {
  type ConfusionCorrection,
  type CorrectedShare,
  confusionCorrection,
} from "../stats/intervals/confusion-correction.js";
export {
  type DrawnClass,
  type DrawnLabels,
  type DrawnOptions,
  type DrawnProportionOptions,
  drawnClasses,
  drawnProportion,
  drawnStrata,
} from "../stats/intervals/drawn-proportion.js";
export { f1AtPrevalence } from "../stats/intervals/f1-at-prevalence.js";
export { f1Estimate } from "../stats/intervals/f1-estimate.js";
export { hasWidth, type Interval } from "../stats/intervals/interval.js";
export { jeffreysInterval } from "../stats/intervals/jeffreys-interval.js";
export { jeffreysProbabilities } from "../stats/intervals/jeffreys-probabilities.js";
export { meanEstimate } from "../stats/intervals/mean-estimate.js";
export { newcombeInterval } from "../stats/intervals/newcombe-interval.js";
export { oddsRatio } from "../stats/intervals/odds-ratio.js";
export { pooledProportion } from "../stats/intervals/pooled-proportion.js";
export {
  type LabelledGroup,
  type PredictedRows,
  type PredictionPoweredMean,
  type PredictionPoweredOptions,
  predictionPoweredMean,
} from "../stats/intervals/prediction-powered-mean.js";
export { proportion } from "../stats/intervals/proportion.js";
export { ratioOfMeans } from "../stats/intervals/ratio-of-means.js";
export { type CountOf, roganGladen } from "../stats/intervals/rogan-gladen.js";
export { type SdEstimate, sdEstimate } from "../stats/intervals/sd-estimate.js";
export { type JackknifeOptions, stratifiedJackknife } from "../stats/intervals/stratified-jackknife.js";
export { type SampledStratum, stratifiedProportion } from "../stats/intervals/stratified-proportion.js";
export { type LabelledStratum, stratifiedUpperBound } from "../stats/intervals/stratified-upper-bound.js";
export { tangoInterval } from "../stats/intervals/tango-interval.js";
export { wilsonInterval } from "../stats/intervals/wilson-interval.js";
export { type CosineTransform, cosineTransform } from "../stats/optimise/cosine-transform.js";
export { dirichletEntropySd } from "../stats/optimise/dirichlet-entropy-sd.js";
export { entropyBits } from "../stats/optimise/entropy-bits.js";
export { type GoldenSection, goldenSection } from "../stats/optimise/golden-section.js";
export { isotonicRegression } from "../stats/optimise/isotonic-regression.js";
export { type LbfgsOptions, type LbfgsResult, lbfgs, type Objective } from "../stats/optimise/lbfgs.js";
export { type LowessCurve, type LowessOptions, lowess } from "../stats/optimise/lowess.js";
export { millerMadowEntropy } from "../stats/optimise/miller-madow-entropy.js";
export { simplexProjection } from "../stats/optimise/simplex-projection.js";
export { type Bounded, squareAndAdd } from "../stats/optimise/square-and-add.js";
export { createRng, type Rng } from "../stats/random/create-rng.js";
export { drawBeta } from "../stats/random/draw-beta.js";
export { drawBinomial } from "../stats/random/draw-binomial.js";
export { drawNormal } from "../stats/random/draw-normal.js";
export { type FastUniform, fastUniform } from "../stats/random/fast-uniform.js";
export { hashSeed } from "../stats/random/hash-seed.js";
export { sampleWithoutReplacement } from "../stats/random/sample-without-replacement.js";
export { shuffle } from "../stats/random/shuffle.js";
export { auroc } from "../stats/ranks/auroc.js";
export { aurocOfSorted } from "../stats/ranks/auroc-of-sorted.js";
export { averageRanks } from "../stats/ranks/average-ranks.js";
export { balancedAccuracy } from "../stats/ranks/balanced-accuracy.js";
export { binarySpearmanBound } from "../stats/ranks/binary-spearman-bound.js";
export { clusteredAuroc } from "../stats/ranks/clustered-auroc.js";
export { clusteredSpearman } from "../stats/ranks/clustered-spearman.js";
export { cohenKappa } from "../stats/ranks/cohen-kappa.js";
export { type FalsePositiveThreshold, falsePositiveThreshold } from "../stats/ranks/false-positive-threshold.js";
export {
  type IntraclassCorrelation,
  intraclassConsistency,
  intraclassCorrelation,
  oneWayIntraclass,
  spearmanBrown,
} from "../stats/ranks/intraclass-correlation.js";
export { krippendorffAlpha, type RatingScale } from "../stats/ranks/krippendorff-alpha.js";
export { quantile } from "../stats/ranks/quantile.js";
export { rankCorrelator } from "../stats/ranks/rank-correlator.js";
export { caseMeans, type Ratings } from "../stats/ranks/ratings.js";
export { type RocPoint, rocCurve } from "../stats/ranks/roc-curve.js";
export { sortedOrder } from "../stats/ranks/sorted-order.js";
export { type RankCorrelation, spearman } from "../stats/ranks/spearman.js";
export {
  type CrossedCells,
  type VarianceComponent,
  type VarianceComponents,
  varianceComponents,
} from "../stats/ranks/variance-components.js";
export { weightedSpearman } from "../stats/ranks/weighted-spearman.js";
export {
  type ClusterBootstrap,
  type ClusterBootstrapOptions,
  clusterBootstrap,
} from "../stats/resampling/cluster-bootstrap.js";
export {
  type BootstrapStatistic,
  bootstrapEstimate,
  type StratifiedBootstrapOptions,
  stratifiedBootstrap,
} from "../stats/resampling/stratified-bootstrap.js";
export { type TwoWayBootstrap, twoWayBootstrap } from "../stats/resampling/two-way-bootstrap.js";
export { benjaminiHochberg } from "../stats/tests/benjamini-hochberg.js";
export { benjaminiYekutieli } from "../stats/tests/benjamini-yekutieli.js";
export { type BoundedUnits, boundedUpperBound, groupUnits, logBoundedEValue } from "../stats/tests/bounded-e-value.js";
export { type ChiSquareTest, chiSquareTest } from "../stats/tests/chi-square-test.js";
export { compareStudies, type StudyVerdict } from "../stats/tests/compare-studies.js";
export { eBenjaminiHochberg, inverseOfE } from "../stats/tests/e-benjamini-hochberg.js";
export { exactTableTest } from "../stats/tests/exact-table-test.js";
export { fixedSequence } from "../stats/tests/fixed-sequence.js";
export { type GroupTest, type GroupTestOptions, groupTest } from "../stats/tests/group-test.js";
export { hoeffdingBentkus } from "../stats/tests/hoeffding-bentkus.js";
export { holm } from "../stats/tests/holm.js";
export { type MannWhitney, mannWhitney } from "../stats/tests/mann-whitney.js";
export { type McNemarTest, mcnemar, mcnemarChiSquare } from "../stats/tests/mcnemar.js";
export { confidenceSequence, logMixtureEValue } from "../stats/tests/mixture-e-value.js";
export { logOneSidedEValue } from "../stats/tests/one-sided-e-value.js";
export { type TwoProportionTest, twoProportionTest } from "../stats/tests/two-proportion-test.js";
export { weightedProportion } from "../stats/weighted-proportion.js";
