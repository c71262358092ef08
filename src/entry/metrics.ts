/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export type { CheckAccuracy, DualGroup as DualAudit } from "../experiments/dual/result.js";
export type { Underspecification } from "../experiments/rules/tiers/result.js";
export {
  compareAgainst,
  type JudgedPair,
  type JudgedSample,
  type PopulationCell,
} from "../measures/metrics/against.js";
export { accuracy, type Confusion, confusion, f1, kappa, precision, recall } from "../measures/metrics/agreement.js";
export { AMBIGUITY_TARGET, ambiguityIndex } from "../measures/metrics/ambiguity-index.js";
export { contradiction } from "../measures/metrics/contradiction.js";
export { DEFENSIBILITY_TARGET, defensibilityIndex } from "../measures/metrics/defensibility-index.js";
export * from "../measures/metrics/gap.js";
export * from "../measures/metrics/judge/correct-rate.js";
export {
  AUDITED_CELLS,
  auditedIndex,
  emptyJudgeCounts,
  HUMAN_CELLS,
  humanIndex,
  type JudgeCounts,
  judgeIndex,
} from "../measures/metrics/judge/counts.js";
export * from "../measures/metrics/judge/judge-error.js";
export { chooseLabels, type LabelGroup, labelNotes } from "../measures/metrics/label-sample.js";
export { levelShare } from "../measures/metrics/level-share.js";
export {
  type ArmPattern,
  type ArmPatterns,
  armPatterns,
  FOLLOWED,
  type Patterns,
} from "../measures/metrics/paired/arm-patterns.js";
export * from "../measures/metrics/paired/compare-runs.js";
export * from "../measures/metrics/paired/dual-audit.js";
export {
  type ChangeOptions,
  emptyPairs,
  mergePairs,
  PAIR_CELLS,
  type PairedCommunity,
  pairedChange,
  pairedDifference,
  pairIndex,
  worstCaseChange,
} from "../measures/metrics/paired/paired-change.js";
export { type PairedCounts, pairedCounts, pairedIndex } from "../measures/metrics/paired/paired-index.js";
export { ablationClass, type ScopeArms, scopeAblation } from "../measures/metrics/paired/scope-ablation.js";
export { transitions, underspecification } from "../measures/metrics/paired/transitions.js";
export { pureAmbiguity } from "../measures/metrics/pure-ambiguity.js";
export * from "../measures/metrics/reason-accuracy.js";
export { cohortMetrics, outcomeCounts, reportMetrics } from "../measures/metrics/report-metrics.js";
export { type RootCause, rootCause } from "../measures/metrics/root-causes.js";
export { scopedAmbiguity } from "../measures/metrics/scoped-ambiguity.js";
export {
  CELLS,
  type Cell,
  type CellMask,
  cellIndex,
  cellMask,
  countOpenLabels,
  emptyTally,
  labelsAlike,
  TALLY_SCOPES,
  type Tally,
  type TallyScope,
} from "../measures/metrics/tally.js";
export { targetStatus } from "../measures/metrics/target.js";
export * from "../measures/metrics/trap.js";
