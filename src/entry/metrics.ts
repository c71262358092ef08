/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export type { CheckAccuracy, DualGroup as DualAudit } from "../experiments/dual/result.js";
export type { Underspecification } from "../experiments/rules/tiers/result.js";
export * from "../measures/metrics/against.js";
export { accuracy, type Confusion, confusion, f1, kappa, precision, recall } from "../measures/metrics/agreement.js";
export {
  accurateButIndefensible,
  DISAGREES,
  disagreementsDefensible,
  falseNegativesDefensible,
  falsePositivesDefensible,
  indefensibleGivenAgreement,
  type RootCause,
  rootCause,
} from "../measures/metrics/disagreements.js";
export * from "../measures/metrics/gap.js";
export {
  AMBIGUITY_TARGET,
  ambiguityIndex,
  contradiction,
  DEFENSIBILITY_TARGET,
  defensibilityIndex,
  levelShare,
  pureAmbiguity,
  scopedAmbiguity,
  targetStatus,
} from "../measures/metrics/indices.js";
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
export {
  type ArmPattern,
  type ArmPatterns,
  ablationClass,
  armPatterns,
  FOLLOWED,
  type Patterns,
  type ScopeArms,
  scopeAblation,
} from "../measures/metrics/paired/arm-patterns.js";
export {
  type CompareOptions,
  compareRuns,
  compareWithHumans,
  type HumanComparison,
  type PairedComparison,
  type PairTally,
  pairedCounts,
  pairedIndex,
} from "../measures/metrics/paired/compare-runs.js";
export * from "../measures/metrics/paired/dual-audit.js";
export {
  type ChangeOptions,
  emptyPairs,
  mergePairs,
  PAIR_CELLS,
  type PairedCommunity,
  type PairedCounts,
  pairedChange,
  pairedDifference,
  pairIndex,
  worstCaseChange,
} from "../measures/metrics/paired/paired-change.js";
export { transitions, underspecification } from "../measures/metrics/paired/transitions.js";
export * from "../measures/metrics/reason-accuracy.js";
export { cohortMetrics, outcomeCounts, reportMetrics } from "../measures/metrics/report-metrics.js";
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
