/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export {
  type ActionFlips,
  actionFlips,
  type ProposedActions,
  type RepeatedCount,
  repeatedShare,
} from "../measures/stability/action-flips.js";
export {
  type AllocationLimits,
  type AllocationOrder,
  allocate,
  FIRST_BATCH,
  identicalReplicates,
  isSettled,
  nextBatch,
  type OpenCell,
  replicatesLeft,
  type StopRule,
} from "../measures/stability/allocate.js";
export {
  type Analysed,
  analyseCells,
  type CellAnalysis,
  cellOf,
  type Evidence,
  replay,
} from "../measures/stability/analyse-cells.js";
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
  flipRate,
  type Half,
  lawOf,
  Spread,
  samplingLaw,
  thirdShare,
} from "../measures/stability/cell-stats.js";
export {
  type ChosenCase,
  chooseCases,
  type FlipperRule,
  type PilotCase,
  pilotGroup,
} from "../measures/stability/choose-cases.js";
export { type StabilityCorrelation, stabilityCorrelations } from "../measures/stability/correlations.js";
export { type Decomposition, decompose } from "../measures/stability/decompose.js";
export { type DrawsCheck, drawsCheck, raoBlackwellGain } from "../measures/stability/draws-check.js";
export { type GroupMeans, groupMeans } from "../measures/stability/group-means.js";
export { type GroupTest, groupTests } from "../measures/stability/group-tests.js";
export {
  BOUNDARY_THRESHOLDS,
  boundaryState,
  CLASS_THRESHOLDS,
  LEAST_REPLICATES,
  LevelSequence,
  type Settled,
  stabilityClass,
} from "../measures/stability/level-sequence.js";
export { type Condition, crossedDesign, emptyReplicates, type Replicates } from "../measures/stability/replicates.js";
export { PAPER_REPLICATES, type Savings, savings } from "../measures/stability/savings.js";
export type { RatioSlope, Slope } from "../measures/stability/slopes.js";
export {
  classShares,
  plugInState,
  settledState,
  type ThresholdRow,
  thresholdMix,
  unstableShare,
} from "../measures/stability/tallies.js";
export {
  type TemperatureRow,
  type TemperatureTable,
  temperatureTable,
} from "../measures/stability/temperature-table.js";
