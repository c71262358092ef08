/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export {
  conditionalRiskReduction,
  exposureReduction,
  GATE_ADJUSTMENTS,
  GATE_LOOKS,
  type GateAdjustment,
  type GateCounts,
  type GateLook,
  gateCounts,
} from "../measures/gate/adjustment.js";
export { ADVICE_ACTIONS, type Advice, type AdviceAction, advise, type RuleAmbiguity } from "../measures/gate/advice.js";
export {
  type CertifiedOptions,
  type CertifiedVerdict,
  certifiedGate,
  DEFAULT_DELTA,
} from "../measures/gate/certified-gate.js";
export {
  bernoulliCusum,
  type CusumChart,
  type CusumResult,
  type CusumSteps,
  cusumAverageRunLength,
  cusumSteps,
  cusumThreshold,
  type DesignedCusum,
} from "../measures/gate/drift/cusum.js";
export {
  DRIFT_ODDS_RATIOS,
  driftAlternatives,
  type EDetectorOptions,
  type EDetectorResult,
  eDetector,
  productLogE,
} from "../measures/gate/drift/e-detector.js";
export {
  fleetEvidence,
  type KeyEvidence,
  planWatch,
  WATCH_ALPHA,
  WATCH_DELTA,
  type WatchPlan,
} from "../measures/gate/drift/watch-plan.js";
export { StreamWatch, watchStreams } from "../measures/gate/drift/watch-streams.js";
export {
  evidenceOfReturn,
  P0_SOURCES,
  type P0Source,
  type ReinstatedEvent,
  type ResetEvent,
  type SuspendedEvent,
  type Suspension,
  WATCH_DETECTORS,
  WATCHED,
  type WatchDetector,
  type WatchEvent,
  type Watched,
  type WatchKeyState,
  type WatchOptions,
  type WatchRow,
  type WatchState,
} from "../measures/gate/drift/watch-types.js";
export { evaluateGate } from "../measures/gate/evaluate-gate.js";
export {
  type CoverageRiskFrontier,
  coverageRiskFrontier,
  FRONTIER_GRID,
  type FrontierPoint,
  frontierGrid,
  kneeIndex,
} from "../measures/gate/frontier.js";
export type {
  CommunityEvaluation,
  FleetThreads,
  GateEvaluation,
  GateOptions,
  ShrunkRate,
} from "../measures/gate/gate-evaluation.js";
export { type StateSummary, stateSummary } from "../measures/gate/gate-evaluation.js";
export {
  ambiguousCount,
  GATE_VARIABLES,
  type GateCohort,
  type GateLimits,
  type GateVariable,
  STANDARD_LIMITS,
} from "../measures/gate/gate-input.js";
export {
  analyseBinding,
  type BindingAnalysis,
  type BindingConstraint,
  bindingConstraint,
  type HoldoutCertificate,
  holdoutCertificate,
} from "../measures/gate/holdout-certificate.js";
export {
  fitShrinkage,
  fleetState,
  indefensibleLimit,
  isEligible,
  meetsLimits,
  type ShrinkageFit,
} from "../measures/gate/limits.js";
export { MOST_MORE_DECISIONS, type MoreDecisions } from "../measures/gate/more-decisions.js";
export { type PassOptions, paperGate, passGate } from "../measures/gate/pass-gate.js";
export {
  allowedFailures,
  type CertifyOptions,
  type CertifySize,
  certainSize,
  certifySize,
  type PlanSize,
  sizeAllowing,
  zeroFailureSize,
} from "../measures/gate/plan/certify-size.js";
export {
  ASSUMED_PRIORS,
  certifiedRegion,
  clusterSize,
  correlationSize,
  judgeCorrelation,
  labelSize,
  paperRegion,
  type RatePrior,
  type RegionOptions,
  shrunkRegion,
} from "../measures/gate/plan/gate-region.js";
export { type HolmPower, holmPower } from "../measures/gate/plan/holm-power.js";
export { type JointOptions, jointSize } from "../measures/gate/plan/joint-size.js";
export { estimateSize, pairedPower, pairedSize } from "../measures/gate/plan/paired-size.js";
export {
  ambiguityOf,
  type GateRegion,
  type GateTruth,
  passProbability,
  truthFromIndices,
  YES_IF_INDEFENSIBLE,
} from "../measures/gate/plan/pass-probability.js";
export { type PlanGateOptions, planCertify, planGate, TABLE_RATES } from "../measures/gate/plan/plan-gate.js";
export { routeDecision } from "../measures/gate/route/decision.js";
export {
  type KnownRules,
  markedRules,
  type NeverAutomate,
  type RulesRead,
} from "../measures/gate/route/never-automate.js";
export {
  type CohortFields,
  cohortKey,
  DEFAULT_REVIEW_SHARE,
  ROUTE_SENTENCES,
  reviewFraction,
} from "../measures/gate/route/reasons.js";
export {
  prepareGate,
  type RouteCalibration,
  type RouteCohort,
  type RouteGate,
  type RouteState,
} from "../measures/gate/route/state.js";
export {
  PAPER_SCENARIOS,
  type ScenarioLimits,
  type ScenarioResult,
  scenarioResult,
} from "../measures/gate/scenarios.js";
export { PAPER_SCORE_KNEE, type ScoreFrontier, scoreFrontier } from "../measures/gate/score-frontier.js";
export {
  type AreaUnderRiskCoverage,
  areaUnderRiskCoverage,
  type CoverageAtRisk,
  CURVE_POINTS,
  coverageAtRisk,
  REPORTED_RISKS,
  type RiskCoveragePoint,
  riskCoverageCurve,
} from "../measures/gate/selective/aurc.js";
export type { SelectiveRows } from "../measures/gate/selective/choose-thresholds.js";
export {
  type ChooseThresholdsOptions,
  chooseThresholds,
  OWN_THRESHOLD_ROWS,
  selectiveRecord,
  type ThresholdChoice,
  type ThresholdSet,
} from "../measures/gate/selective/choose-thresholds.js";
export { type LearnThenTestOptions, learnThenTest, SEQUENCES } from "../measures/gate/selective/learn-then-test.js";
export { groupScores, type ScoreGroups } from "../measures/gate/selective/score-groups.js";
export type {
  RiskLimits,
  SelectiveResult,
  SelectiveRisk,
  SelectiveTest,
} from "../measures/gate/selective/selective-result.js";
export { DEFAULT_Q, type ShrunkVerdict, shrunkGate } from "../measures/gate/shrunk-gate.js";
export { type SliceCounts, type SliceReport, type SliceRow, sliceReport } from "../measures/gate/slices.js";
export {
  type CohortThreads,
  certifiedClaim,
  DEFAULT_THREAD_CAP,
  THREAD_OPEN_DAYS,
  type ThreadEvidence,
  type ThreadGroup,
  threadEvidence,
  threadUnits,
} from "../measures/gate/thread-units.js";
