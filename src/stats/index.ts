export { auroc } from "./auroc.js";
export { aurocOfSorted } from "./auroc-of-sorted.js";
export { averageRanks } from "./average-ranks.js";
export { balancedAccuracy } from "./balanced-accuracy.js";
export { benjaminiHochberg } from "./benjamini-hochberg.js";
export { benjaminiYekutieli } from "./benjamini-yekutieli.js";
export { type BetaBinomialFit, betaBinomialFit, ENOUGH_COHORTS } from "./beta-binomial-fit.js";
export { betaBinomialLogLikelihood } from "./beta-binomial-log-likelihood.js";
export { type BetaMixture, posteriorBeta, posteriorExceeds } from "./beta-mixture.js";
export { betaQuantile } from "./beta-quantile.js";
export { binarySpearmanBound } from "./binary-spearman-bound.js";
export { binomialCdf } from "./binomial-cdf.js";
export { binomialPmf } from "./binomial-pmf.js";
export { type BoundedUnits, boundedUpperBound, groupUnits, logBoundedEValue } from "./bounded-e-value.js";
export { type ChiSquareTest, chiSquareTest } from "./chi-square-test.js";
export { clopperPearsonBound } from "./clopper-pearson-bound.js";
export { clopperPearsonInterval } from "./clopper-pearson-interval.js";
export { type ClusterBootstrap, type ClusterBootstrapOptions, clusterBootstrap } from "./cluster-bootstrap.js";
export { clusterJackknife, effectiveClusters } from "./cluster-jackknife.js";
export { clusteredAuroc } from "./clustered-auroc.js";
export { clusteredProportion, MANY_CLUSTERS } from "./clustered-proportion.js";
export { clusteredSpearman } from "./clustered-spearman.js";
export { cohenKappa } from "./cohen-kappa.js";
export { compareStudies, type StudyVerdict } from "./compare-studies.js";
export { type ConfusionCorrection, type CorrectedShare, confusionCorrection } from "./confusion-correction.js";
export { type CosineTransform, cosineTransform } from "./cosine-transform.js";
export { createRng, type Rng } from "./create-rng.js";
export { digamma } from "./digamma.js";
export { dirichletEntropySd } from "./dirichlet-entropy-sd.js";
export { drawBeta } from "./draw-beta.js";
export { drawBinomial } from "./draw-binomial.js";
export { drawNormal } from "./draw-normal.js";
export { eBenjaminiHochberg, inverseOfE } from "./e-benjamini-hochberg.js";
export { entropyBits } from "./entropy-bits.js";
export { exactTableTest } from "./exact-table-test.js";
export { f1AtPrevalence } from "./f1-at-prevalence.js";
export { f1Estimate } from "./f1-estimate.js";
export { type FalsePositiveThreshold, falsePositiveThreshold } from "./false-positive-threshold.js";
export { type FastUniform, fastUniform } from "./fast-uniform.js";
export { fixedSequence } from "./fixed-sequence.js";
export { type GoldenSection, goldenSection } from "./golden-section.js";
export { type GroupTest, type GroupTestOptions, groupTest } from "./group-test.js";
export { hashSeed } from "./hash-seed.js";
export { hoeffdingBentkus } from "./hoeffding-bentkus.js";
export { holm } from "./holm.js";
export { incompleteBeta } from "./incomplete-beta.js";
export { incompleteGamma } from "./incomplete-gamma.js";
export { hasWidth, type Interval } from "./interval.js";
export {
  type IntraclassCorrelation,
  intraclassConsistency,
  intraclassCorrelation,
  oneWayIntraclass,
  spearmanBrown,
} from "./intraclass-correlation.js";
export { isotonicRegression } from "./isotonic-regression.js";
export { jeffreysInterval } from "./jeffreys-interval.js";
export { jeffreysProbabilities } from "./jeffreys-probabilities.js";
export { krippendorffAlpha, type RatingScale } from "./krippendorff-alpha.js";
export { type LbfgsOptions, type LbfgsResult, lbfgs, type Objective } from "./lbfgs.js";
export { linearizedInterval } from "./linearized-interval.js";
export { logBeta } from "./log-beta.js";
export { logGamma } from "./log-gamma.js";
export { logRisingFactorial } from "./log-rising-factorial.js";
export { logSumExp } from "./log-sum-exp.js";
export { logitNormalLocation } from "./logit-normal-location.js";
export { logitNormalMean } from "./logit-normal-mean.js";
export { type LowessCurve, type LowessOptions, lowess } from "./lowess.js";
export { type MannWhitney, mannWhitney } from "./mann-whitney.js";
export { type McNemarTest, mcnemar, mcnemarChiSquare } from "./mcnemar.js";
export { meanEstimate } from "./mean-estimate.js";
export { millerMadowEntropy } from "./miller-madow-entropy.js";
export { confidenceSequence, logMixtureEValue } from "./mixture-e-value.js";
export { newcombeInterval } from "./newcombe-interval.js";
export { normalCdf } from "./normal-cdf.js";
export { normalQuantile } from "./normal-quantile.js";
export { oddsRatio } from "./odds-ratio.js";
export { logOneSidedEValue } from "./one-sided-e-value.js";
export { pooledProportion } from "./pooled-proportion.js";
export {
  type LabelledGroup,
  type PredictedRows,
  type PredictionPoweredMean,
  type PredictionPoweredOptions,
  predictionPoweredMean,
} from "./prediction-powered-mean.js";
export { proportion } from "./proportion.js";
export { quantile } from "./quantile.js";
export { rankCorrelator } from "./rank-correlator.js";
export { caseMeans, type Ratings } from "./ratings.js";
export { ratioOfMeans } from "./ratio-of-means.js";
export { type RocPoint, rocCurve } from "./roc-curve.js";
export { type CountOf, roganGladen } from "./rogan-gladen.js";
export { sampleWithoutReplacement } from "./sample-without-replacement.js";
export { type SdEstimate, sdEstimate } from "./sd-estimate.js";
export { shuffle } from "./shuffle.js";
export { simplexProjection } from "./simplex-projection.js";
export { sortedOrder } from "./sorted-order.js";
export { type RankCorrelation, spearman } from "./spearman.js";
export { type Bounded, squareAndAdd } from "./square-and-add.js";
export {
  type BootstrapStatistic,
  bootstrapEstimate,
  type StratifiedBootstrapOptions,
  stratifiedBootstrap,
} from "./stratified-bootstrap.js";
export { type JackknifeOptions, stratifiedJackknife } from "./stratified-jackknife.js";
export { type SampledStratum, stratifiedProportion } from "./stratified-proportion.js";
export { type LabelledStratum, stratifiedUpperBound } from "./stratified-upper-bound.js";
export { studentTCdf } from "./student-t-cdf.js";
export { studentTQuantile } from "./student-t-quantile.js";
export { tangoInterval } from "./tango-interval.js";
export { trigamma } from "./trigamma.js";
export { type TwoProportionTest, twoProportionTest } from "./two-proportion-test.js";
export { type TwoWayBootstrap, twoWayBootstrap } from "./two-way-bootstrap.js";
export {
  type CrossedCells,
  type VarianceComponent,
  type VarianceComponents,
  varianceComponents,
} from "./variance-components.js";
export { weightedProportion } from "./weighted-proportion.js";
export { weightedSpearman } from "./weighted-spearman.js";
export { wilsonInterval } from "./wilson-interval.js";
