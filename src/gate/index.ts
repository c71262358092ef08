export {
  GATE_ADJUSTMENTS,
  GATE_LOOKS,
  type GateAdjustment,
  type GateLook,
} from "./adjustment.js";
export { ADVICE_ACTIONS, type Advice, type AdviceAction, advise, type RuleAmbiguity } from "./advice.js";
export {
  analyseBinding,
  type BindingAnalysis,
  type BindingConstraint,
  bindingConstraint,
} from "./binding-constraint.js";
export { type CertifiedOptions, type CertifiedVerdict, certifiedGate, DEFAULT_DELTA } from "./certified-gate.js";
export { type CohortFields, cohortKey } from "./cohort-key.js";
export { type GateCounts, gateCounts } from "./coverage.js";
export * from "./drift/index.js";
export { evaluateGate } from "./evaluate-gate.js";
export { fleetState } from "./fleet-state.js";
export {
  type CoverageRiskFrontier,
  coverageRiskFrontier,
  FRONTIER_GRID,
  type FrontierPoint,
  frontierGrid,
} from "./frontier.js";
export type { CommunityEvaluation, FleetThreads, GateEvaluation, GateOptions, ShrunkRate } from "./gate-evaluation.js";
export {
  ambiguousCount,
  GATE_VARIABLES,
  type GateCohort,
  type GateLimits,
  type GateVariable,
  STANDARD_LIMITS,
} from "./gate-input.js";
export { type HoldoutCertificate, holdoutCertificate } from "./holdout-certificate.js";
export { kneeIndex } from "./knee.js";
export { indefensibleLimit, isEligible, meetsLimits } from "./limits.js";
export { MOST_MORE_DECISIONS, type MoreDecisions } from "./more-decisions.js";
export { type KnownRules, markedRules, type NeverAutomate, type RulesRead } from "./never-automate.js";
export { paperGate } from "./paper-gate.js";
export { type PassOptions, passGate } from "./pass-gate.js";
export * from "./plan/index.js";
export { DEFAULT_REVIEW_SHARE, reviewFraction } from "./review-sample.js";
export { conditionalRiskReduction, exposureReduction } from "./risk-reduction.js";
export { routeDecision } from "./route-decision.js";
export { ROUTE_SENTENCES } from "./route-reasons.js";
export {
  prepareGate,
  type RouteCalibration,
  type RouteCohort,
  type RouteGate,
  type RouteState,
} from "./route-state.js";
export { PAPER_SCENARIOS, type ScenarioLimits, type ScenarioResult, scenarioResult } from "./scenarios.js";
export { PAPER_SCORE_KNEE, type ScoreFrontier, scoreFrontier } from "./score-frontier.js";
export * from "./selective/index.js";
export { fitShrinkage, type ShrinkageFit } from "./shrinkage-fit.js";
export { DEFAULT_Q, type ShrunkVerdict, shrunkGate } from "./shrunk-gate.js";
export { type SliceCounts, type SliceReport, type SliceRow, sliceReport } from "./slices.js";
export { type StateSummary, stateSummary } from "./state-summary.js";
export {
  type CohortThreads,
  certifiedClaim,
  DEFAULT_THREAD_CAP,
  THREAD_OPEN_DAYS,
  type ThreadEvidence,
  type ThreadGroup,
  threadEvidence,
  threadUnits,
} from "./thread-units.js";
