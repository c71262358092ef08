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
export * from "../measures/gate/drift/index.js";
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
export * from "../measures/gate/plan/index.js";
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
export * from "../measures/gate/selective/index.js";
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
