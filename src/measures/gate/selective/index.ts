export { type AreaUnderRiskCoverage, areaUnderRiskCoverage } from "./aurc.js";
export type { SelectiveRows } from "./choose-thresholds.js";
export {
  type ChooseThresholdsOptions,
  chooseThresholds,
  OWN_THRESHOLD_ROWS,
  selectiveRecord,
  type ThresholdChoice,
  type ThresholdSet,
} from "./choose-thresholds.js";
export { type CoverageAtRisk, coverageAtRisk, REPORTED_RISKS } from "./coverage-at-risk.js";
export { type LearnThenTestOptions, learnThenTest, SEQUENCES } from "./learn-then-test.js";
export { CURVE_POINTS, type RiskCoveragePoint, riskCoverageCurve } from "./risk-coverage-curve.js";
export { groupScores, type ScoreGroups } from "./score-groups.js";
export type { RiskLimits, SelectiveResult, SelectiveRisk, SelectiveTest } from "./selective-result.js";
