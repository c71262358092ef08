/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export { type ActionFlips, actionFlips, type ProposedActions } from "../measures/stability/action-flips.js";
export {
  type AllocationLimits,
  type AllocationOrder,
  allocate,
  FIRST_BATCH,
  isSettled,
  nextBatch,
  type OpenCell,
  type StopRule,
} from "../measures/stability/allocate.js";
export { type Analysed, analyseCells, type CellAnalysis, cellOf } from "../measures/stability/analyse-cells.js";
export {
  analyseStability,
  type StabilityAnalysis,
  type StabilitySettings,
} from "../measures/stability/analyse-stability.js";
export { type CaseRow, caseRow, type StabilityMode } from "../measures/stability/case-row.js";
export {
  type CellStats,
  cellStats,
  dominantShare,
  type Half,
  lawOf,
  thirdShare,
} from "../measures/stability/cell-stats.js";
export {
  type ChosenCase,
  chooseCases,
  type FlipperRule,
  type PilotCase,
  pilotGroup,
} from "../measures/stability/choose-cases.js";
export {
  BOUNDARY_THRESHOLDS,
  boundaryState,
  CLASS_THRESHOLDS,
  LEAST_REPLICATES,
  stabilityClass,
} from "../measures/stability/classify.js";
export { type StabilityCorrelation, stabilityCorrelations } from "../measures/stability/correlations.js";
export { crossedDesign } from "../measures/stability/crossed-design.js";
export { type Decomposition, decompose } from "../measures/stability/decompose.js";
export { type DrawsCheck, drawsCheck } from "../measures/stability/draws-check.js";
export { flipRate } from "../measures/stability/flips.js";
export { type GroupMeans, groupMeans } from "../measures/stability/group-means.js";
export { type GroupTest, groupTests } from "../measures/stability/group-tests.js";
export { identicalReplicates } from "../measures/stability/identical-replicates.js";
export { LevelSequence, type Settled } from "../measures/stability/level-sequence.js";
export { raoBlackwellGain } from "../measures/stability/rao-blackwell-gain.js";
export { type RepeatedCount, repeatedShare } from "../measures/stability/repeated-share.js";
export { type Evidence, replay } from "../measures/stability/replay.js";
export { type Condition, emptyReplicates, type Replicates } from "../measures/stability/replicates.js";
export { replicatesLeft } from "../measures/stability/replicates-left.js";
export { samplingLaw } from "../measures/stability/sampling-law.js";
export { PAPER_REPLICATES, type Savings, savings } from "../measures/stability/savings.js";
export type { RatioSlope, Slope } from "../measures/stability/slopes.js";
export { Spread } from "../measures/stability/spread.js";
export { classShares, plugInState, settledState, unstableShare } from "../measures/stability/tallies.js";
export {
  type TemperatureRow,
  type TemperatureTable,
  temperatureTable,
} from "../measures/stability/temperature-table.js";
export { type ThresholdRow, thresholdMix } from "../measures/stability/threshold-mix.js";
