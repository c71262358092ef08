/**
 * Distributions, intervals, tests, ranks, resampling and random numbers, without I/O.
 * @packageDocumentation
 */

export * from "../stats/distributions/beta-binomial-fit.js";
export {
  betaQuantile,
  binomialCdf,
  binomialPmf,
  incompleteBeta,
  studentTCdf,
  studentTQuantile,
} from "../stats/distributions/incomplete-beta.js";
export * from "../stats/distributions/normal.js";
export {
  digamma,
  incompleteGamma,
  logBeta,
  logGamma,
  logRisingFactorial,
  logSumExp,
  trigamma,
} from "../stats/distributions/special-functions.js";
export { clusterJackknife, effectiveClusters } from "../stats/intervals/cluster-jackknife.js";
export { clusteredProportion, MANY_CLUSTERS, pooledProportion } from "../stats/intervals/clustered-proportion.js";
export * from "../stats/intervals/drawn-proportion.js";
export * from "../stats/intervals/judge-correction.js";
export { meanEstimate, type SdEstimate, sdEstimate } from "../stats/intervals/mean-estimate.js";
export * from "../stats/intervals/prediction-powered-mean.js";
export {
  clopperPearsonBound,
  clopperPearsonInterval,
  hasWidth,
  type Interval,
  jeffreysInterval,
  jeffreysProbabilities,
  proportion,
  weightedProportion,
  wilsonInterval,
} from "../stats/intervals/proportion.js";
export { ratioOfMeans } from "../stats/intervals/ratio-of-means.js";
export { type JackknifeOptions, stratifiedJackknife } from "../stats/intervals/stratified-jackknife.js";
export * from "../stats/intervals/stratified-proportion.js";
export { newcombeInterval, oddsRatio, tangoInterval } from "../stats/intervals/two-proportions.js";
export * from "../stats/optimise/cosine-transform.js";
export { dirichletEntropySd, entropyBits, millerMadowEntropy } from "../stats/optimise/entropy.js";
export { isotonicRegression, simplexProjection } from "../stats/optimise/isotonic-regression.js";
export { type LowessCurve, type LowessOptions, lowess } from "../stats/optimise/lowess.js";
export * from "../stats/optimise/minimise.js";
export * from "../stats/random/create-rng.js";
export { drawBeta, drawBinomial, drawNormal } from "../stats/random/draw-normal.js";
export { auroc, aurocOfSorted } from "../stats/ranks/auroc.js";
export { clusteredAuroc } from "../stats/ranks/clustered-auroc.js";
export { clusteredSpearman } from "../stats/ranks/clustered-spearman.js";
export * from "../stats/ranks/detection.js";
export * from "../stats/ranks/intraclass-correlation.js";
export { caseMeans, cohenKappa, krippendorffAlpha, type RatingScale, type Ratings } from "../stats/ranks/raters.js";
export { averageRanks, quantile, sortedOrder } from "../stats/ranks/sorted-order.js";
export * from "../stats/ranks/spearman.js";
export * from "../stats/ranks/variance-components.js";
export * from "../stats/resampling/cluster-bootstrap.js";
export * from "../stats/resampling/stratified-bootstrap.js";
export {
  type BoundedUnits,
  boundedUpperBound,
  groupUnits,
  hoeffdingBentkus,
  logBoundedEValue,
} from "../stats/tests/bounded-e-value.js";
export { type GroupTest, type GroupTestOptions, groupTest } from "../stats/tests/group-test.js";
export { type MannWhitney, mannWhitney } from "../stats/tests/mann-whitney.js";
export { confidenceSequence, logMixtureEValue, logOneSidedEValue } from "../stats/tests/mixture-e-value.js";
export * from "../stats/tests/multiple-testing.js";
export { type ChiSquareTest, chiSquareTest, exactTableTest } from "../stats/tests/table-tests.js";
export * from "../stats/tests/two-proportion-test.js";
