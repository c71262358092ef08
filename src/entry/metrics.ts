/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export {
  compareAgainst,
  type JudgedPair,
  type JudgedSample,
  type PopulationCell,
} from "../measures/metrics/against.js";
export { accuracy, type Confusion, confusion, f1, kappa, precision, recall } from "../measures/metrics/agreement.js";
export { AMBIGUITY_TARGET, ambiguityIndex } from "../measures/metrics/ambiguity-index.js";
export {
  type ArmPattern,
  type ArmPatterns,
  armPatterns,
  FOLLOWED,
  type Patterns,
} from "../measures/metrics/arm-patterns.js";
export { cohortMetrics, outcomeCounts } from "../measures/metrics/cohort-metrics.js";
export { type CompareOptions, compareRuns, type PairedComparison } from "../measures/metrics/compare-runs.js";
export { contradiction } from "../measures/metrics/contradiction.js";
export {
  type CorrectedRate,
  type CorrectionOptions,
  correctRate,
  LABEL_DESIGNS,
  type LabelDesign,
} from "../measures/metrics/correct-rate.js";
export { DEFENSIBILITY_TARGET, defensibilityIndex } from "../measures/metrics/defensibility-index.js";
export {
  type CheckAccuracy,
  DUAL_CLASSES,
  type DualAudit,
  type DualClass,
  dualAudit,
  isJustificationProne,
  LARGE_AMBIGUITY,
  NO_VOID,
} from "../measures/metrics/dual-audit.js";
export { flipControl } from "../measures/metrics/flip-control.js";
export { defensibilityMinusAccuracy, defensibilityMinusF1 } from "../measures/metrics/gap.js";
export { compareWithHumans, type HumanComparison, type PairTally } from "../measures/metrics/human-comparison.js";
export {
  AUDITED_CELLS,
  auditedIndex,
  emptyJudgeCounts,
  HUMAN_CELLS,
  humanIndex,
  type JudgeCounts,
  judgeIndex,
} from "../measures/metrics/judge-counts.js";
export {
  type JudgeErrorCommunity,
  type JudgeErrorOptions,
  type JudgeErrorReport,
  type JudgeErrorRow,
  judgeError,
  LEAST_LABELS,
} from "../measures/metrics/judge-error.js";
export { chooseLabels, type LabelGroup, labelNotes } from "../measures/metrics/label-sample.js";
export { levelShare } from "../measures/metrics/level-share.js";
export { type ClusterMean, meanOver } from "../measures/metrics/mean.js";
export { mergePairs } from "../measures/metrics/merge-pairs.js";
export { countOpenLabels, labelsAlike } from "../measures/metrics/open-labels.js";
export { type ChangeOptions, pairedChange } from "../measures/metrics/paired-change.js";
export { emptyPairs, PAIR_CELLS, type PairedCommunity, pairIndex } from "../measures/metrics/paired-community.js";
export { pairedDifference } from "../measures/metrics/paired-difference.js";
export { type PairedCounts, pairedCounts, pairedIndex } from "../measures/metrics/paired-index.js";
export { pureAmbiguity } from "../measures/metrics/pure-ambiguity.js";
export { reportMetrics } from "../measures/metrics/report-metrics.js";
export { type RootCause, rootCause } from "../measures/metrics/root-causes.js";
export { ablationClass, type ScopeArms, scopeAblation } from "../measures/metrics/scope-ablation.js";
export { scopedAmbiguity } from "../measures/metrics/scoped-ambiguity.js";
export {
  CELLS,
  type Cell,
  type CellMask,
  cellIndex,
  cellMask,
  emptyTally,
  TALLY_SCOPES,
  type Tally,
  type TallyScope,
} from "../measures/metrics/tally.js";
export { targetStatus } from "../measures/metrics/target.js";
export { transitions } from "../measures/metrics/transitions.js";
export {
  accurateButIndefensible,
  disagreementsDefensible,
  falseNegativesDefensible,
  falsePositivesDefensible,
  indefensibleGivenAgreement,
} from "../measures/metrics/trap.js";
export { type Underspecification, underspecification } from "../measures/metrics/underspecification.js";
export { worstCaseChange } from "../measures/metrics/worst-case-change.js";
