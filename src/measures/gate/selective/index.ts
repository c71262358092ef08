export {
  type AreaUnderRiskCoverage,
  areaUnderRiskCoverage,
  type CoverageAtRisk,
  CURVE_POINTS,
  coverageAtRisk,
  REPORTED_RISKS,
  type RiskCoveragePoint,
  riskCoverageCurve,
} from "./aurc.js";
export type { SelectiveRows } from "./choose-thresholds.js";
export {
  type ChooseThresholdsOptions,
  chooseThresholds,
  OWN_THRESHOLD_ROWS,
  selectiveRecord,
  type ThresholdChoice,
  type ThresholdSet,
} from "./choose-thresholds.js";
export { type LearnThenTestOptions, learnThenTest, SEQUENCES } from "./learn-then-test.js";
export { groupScores, type ScoreGroups } from "./score-groups.js";
export type { RiskLimits, SelectiveResult, SelectiveRisk, SelectiveTest } from "./selective-result.js";
