export { compareAgainst, type JudgedPair, type JudgedSample, type PopulationCell } from "./against.js";
export { accuracy, type Confusion, confusion, f1, kappa, precision, recall } from "./agreement.js";
export { AMBIGUITY_TARGET, ambiguityIndex } from "./ambiguity-index.js";
export { type ArmPattern, type ArmPatterns, armPatterns, FOLLOWED, type Patterns } from "./arm-patterns.js";
export { cohortMetrics, outcomeCounts } from "./cohort-metrics.js";
export { type CompareOptions, compareRuns, type PairedComparison } from "./compare-runs.js";
export { contradiction } from "./contradiction.js";
export {
  type CorrectedRate,
  type CorrectionOptions,
  correctRate,
  LABEL_DESIGNS,
  type LabelDesign,
} from "./correct-rate.js";
export { DEFENSIBILITY_TARGET, defensibilityIndex } from "./defensibility-index.js";
export {
  type CheckAccuracy,
  DUAL_CLASSES,
  type DualAudit,
  type DualClass,
  dualAudit,
  isJustificationProne,
  LARGE_AMBIGUITY,
  NO_VOID,
} from "./dual-audit.js";
export { flipControl } from "./flip-control.js";
export { defensibilityMinusAccuracy, defensibilityMinusF1 } from "./gap.js";
export { compareWithHumans, type HumanComparison, type PairTally } from "./human-comparison.js";
export {
  AUDITED_CELLS,
  auditedIndex,
  emptyJudgeCounts,
  HUMAN_CELLS,
  humanIndex,
  type JudgeCounts,
  judgeIndex,
} from "./judge-counts.js";
export {
  type JudgeErrorCommunity,
  type JudgeErrorOptions,
  type JudgeErrorReport,
  type JudgeErrorRow,
  judgeError,
  LEAST_LABELS,
} from "./judge-error.js";
export { chooseLabels, type LabelGroup, labelNotes } from "./label-sample.js";
export { levelShare } from "./level-share.js";
export { type ClusterMean, meanOver } from "./mean.js";
export { mergePairs } from "./merge-pairs.js";
export { countOpenLabels, labelsAlike } from "./open-labels.js";
export { type ChangeOptions, pairedChange } from "./paired-change.js";
export { emptyPairs, PAIR_CELLS, type PairedCommunity, pairIndex } from "./paired-community.js";
export { pairedDifference } from "./paired-difference.js";
export { type PairedCounts, pairedCounts, pairedIndex } from "./paired-index.js";
export { pureAmbiguity } from "./pure-ambiguity.js";
export { reportMetrics } from "./report-metrics.js";
export { type RootCause, rootCause } from "./root-causes.js";
export { ablationClass, type ScopeArms, scopeAblation } from "./scope-ablation.js";
export { scopedAmbiguity } from "./scoped-ambiguity.js";
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
} from "./tally.js";
export { targetStatus } from "./target.js";
export { transitions } from "./transitions.js";
export {
  accurateButIndefensible,
  disagreementsDefensible,
  falseNegativesDefensible,
  falsePositivesDefensible,
  indefensibleGivenAgreement,
} from "./trap.js";
export { type Underspecification, underspecification } from "./underspecification.js";
export { worstCaseChange } from "./worst-case-change.js";
