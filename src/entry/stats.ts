/**
 * Distributions, intervals, tests, ranks, resampling and random numbers, without I/O.
 * @packageDocumentation
 */

export * from "../stats/distributions/beta-binomial-fit.js";
export { type BetaMixture, posteriorBeta, posteriorExceeds } from "../stats/distributions/beta-mixture.js";
export { binomialCdf, binomialPmf } from "../stats/distributions/binomial.js";
export { betaQuantile, incompleteBeta } from "../stats/distributions/incomplete-beta.js";
export { incompleteGamma } from "../stats/distributions/incomplete-gamma.js";
export { logBeta, logGamma, logRisingFactorial } from "../stats/distributions/log-gamma.js";
export { logSumExp } from "../stats/distributions/log-sum-exp.js";
export { logitNormalLocation, logitNormalMean } from "../stats/distributions/logit-normal.js";
export { normalCdf, normalQuantile } from "../stats/distributions/normal.js";
export { digamma, trigamma } from "../stats/distributions/polygamma.js";
export { studentTCdf, studentTQuantile } from "../stats/distributions/student-t.js";
export { clopperPearsonBound, clopperPearsonInterval } from "../stats/intervals/clopper-pearson.js";
export { clusterJackknife, effectiveClusters } from "../stats/intervals/cluster-jackknife.js";
export { clusteredProportion, MANY_CLUSTERS } from "../stats/intervals/clustered-proportion.js";
export * from "../stats/intervals/confusion-correction.js";
export * from "../stats/intervals/drawn-proportion.js";
export { f1AtPrevalence, f1Estimate } from "../stats/intervals/f1.js";
export { jeffreysInterval, jeffreysProbabilities } from "../stats/intervals/jeffreys.js";
export { meanEstimate, type SdEstimate, sdEstimate } from "../stats/intervals/mean-estimate.js";
export { newcombeInterval } from "../stats/intervals/newcombe-interval.js";
export { oddsRatio } from "../stats/intervals/odds-ratio.js";
export { pooledProportion } from "../stats/intervals/pooled-proportion.js";
export * from "../stats/intervals/prediction-powered-mean.js";
export { hasWidth, type Interval, proportion } from "../stats/intervals/proportion.js";
export { ratioOfMeans } from "../stats/intervals/ratio-of-means.js";
export { type CountOf, roganGladen } from "../stats/intervals/rogan-gladen.js";
export { type JackknifeOptions, stratifiedJackknife } from "../stats/intervals/stratified-jackknife.js";
export * from "../stats/intervals/stratified-proportion.js";
export { tangoInterval } from "../stats/intervals/tango-interval.js";
export { wilsonInterval } from "../stats/intervals/wilson-interval.js";
export * from "../stats/optimise/cosine-transform.js";
export { dirichletEntropySd, entropyBits, millerMadowEntropy } from "../stats/optimise/entropy.js";
export { type GoldenSection, goldenSection } from "../stats/optimise/golden-section.js";
export { isotonicRegression, simplexProjection } from "../stats/optimise/isotonic-regression.js";
export { type LbfgsOptions, type LbfgsResult, lbfgs, type Objective } from "../stats/optimise/lbfgs.js";
export { type LowessCurve, type LowessOptions, lowess } from "../stats/optimise/lowess.js";
export {
  createRng,
  type FastUniform,
  fastUniform,
  hashSeed,
  type Rng,
  sampleWithoutReplacement,
  shuffle,
} from "../stats/random/create-rng.js";
export { drawBeta, drawBinomial, drawNormal } from "../stats/random/draw-normal.js";
export { auroc, aurocOfSorted } from "../stats/ranks/auroc.js";
export { balancedAccuracy } from "../stats/ranks/balanced-accuracy.js";
export { clusteredAuroc } from "../stats/ranks/clustered-auroc.js";
export { clusteredSpearman } from "../stats/ranks/clustered-spearman.js";
export { cohenKappa } from "../stats/ranks/cohen-kappa.js";
export * from "../stats/ranks/intraclass-correlation.js";
export { caseMeans, krippendorffAlpha, type RatingScale, type Ratings } from "../stats/ranks/krippendorff-alpha.js";
export { quantile } from "../stats/ranks/quantile.js";
export { rankCorrelator } from "../stats/ranks/rank-correlator.js";
export * from "../stats/ranks/roc-curve.js";
export { averageRanks, sortedOrder } from "../stats/ranks/sorted-order.js";
export { binarySpearmanBound, type RankCorrelation, spearman, weightedSpearman } from "../stats/ranks/spearman.js";
export * from "../stats/ranks/variance-components.js";
export * from "../stats/resampling/cluster-bootstrap.js";
export * from "../stats/resampling/stratified-bootstrap.js";
export { type BoundedUnits, boundedUpperBound, groupUnits, logBoundedEValue } from "../stats/tests/bounded-e-value.js";
export { type ChiSquareTest, chiSquareTest } from "../stats/tests/chi-square-test.js";
export { exactTableTest } from "../stats/tests/exact-table-test.js";
export { type GroupTest, type GroupTestOptions, groupTest } from "../stats/tests/group-test.js";
export { hoeffdingBentkus } from "../stats/tests/hoeffding-bentkus.js";
export { type MannWhitney, mannWhitney } from "../stats/tests/mann-whitney.js";
export { type McNemarTest, mcnemar } from "../stats/tests/mcnemar.js";
export { confidenceSequence, logMixtureEValue, logOneSidedEValue } from "../stats/tests/mixture-e-value.js";
export * from "../stats/tests/multiple-testing.js";
export * from "../stats/tests/two-proportion-test.js";
export { weightedProportion } from "../stats/weighted-proportion.js";
