/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export { GATE_VARIABLES, type GateVariable } from "../core/names.js";
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
export * from "../measures/gate/drift/cusum.js";
export {
  DRIFT_ODDS_RATIOS,
  driftAlternatives,
  type EDetectorOptions,
  type EDetectorResult,
  eDetector,
  productLogE,
} from "../measures/gate/drift/e-detector.js";
export * from "../measures/gate/drift/watch-plan.js";
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
export * from "../measures/gate/frontier.js";
export { PAPER_SCORE_KNEE, type ScoreFrontier, scoreFrontier } from "../measures/gate/frontier.js";
export * from "../measures/gate/gate-evaluation.js";
export {
  ambiguousCount,
  type CohortThreads,
  type CommunityCounts,
  certifiedClaim,
  checkThreadCap,
  DEFAULT_THREAD_CAP,
  effectiveShare,
  type GateCohort,
  type GateLimits,
  LIMIT_SLACK,
  pooledUnits,
  STANDARD_LIMITS,
  THREAD_OPEN_DAYS,
  type ThreadEvidence,
  type ThreadGroup,
  threadEvidence,
  threadUnits,
} from "../measures/gate/gate-input.js";
export * from "../measures/gate/holdout-certificate.js";
export {
  fitShrinkage,
  fleetState,
  indefensibleLimit,
  isEligible,
  meetsLimits,
  type ShrinkageFit,
} from "../measures/gate/limits.js";
export { MOST_MORE_DECISIONS, type MoreDecisions } from "../measures/gate/more-decisions.js";
export {
  DEFAULT_Q,
  type PassOptions,
  paperGate,
  passGate,
  type ShrunkVerdict,
  shrunkGate,
} from "../measures/gate/pass-gate.js";
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
export * from "../measures/gate/plan/gate-region.js";
export { type JointOptions, jointSize } from "../measures/gate/plan/joint-size.js";
export { estimateSize, pairedPower, pairedSize } from "../measures/gate/plan/paired-size.js";
export * from "../measures/gate/plan/pass-probability.js";
export * from "../measures/gate/plan/plan-gate.js";
export { routeDecision } from "../measures/gate/route/decision.js";
export * from "../measures/gate/route/never-automate.js";
export {
  type CohortFields,
  cohortKey,
  DEFAULT_REVIEW_SHARE,
  ROUTE_SENTENCES,
  reviewFraction,
} from "../measures/gate/route/reasons.js";
export * from "../measures/gate/route/state.js";
export * from "../measures/gate/scenarios.js";
export * from "../measures/gate/selective/aurc.js";
export {
  type ChooseThresholdsOptions,
  chooseThresholds,
  OWN_THRESHOLD_ROWS,
  type SelectiveRows,
  selectiveRecord,
  type ThresholdChoice,
  type ThresholdSet,
} from "../measures/gate/selective/choose-thresholds.js";
export {
  type LearnThenTestOptions,
  learnThenTest,
  type RiskLimits,
  SEQUENCES,
  type SelectiveResult,
  type SelectiveRisk,
  type SelectiveTest,
} from "../measures/gate/selective/learn-then-test.js";
export {
  conformalRiskControl,
  type JointRiskResult,
  selectGuaranteedRisk,
} from "../measures/gate/selective/other-thresholds.js";
export { groupScores, type ScoreGroups } from "../measures/gate/selective/score-groups.js";
export { type SliceCounts, type SliceReport, type SliceRow, sliceReport } from "../measures/gate/slices.js";
