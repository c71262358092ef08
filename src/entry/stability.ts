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
  type ChosenCase,
  chooseCases,
  FIRST_BATCH,
  type FlipperRule,
  identicalReplicates,
  isSettled,
  nextBatch,
  type OpenCell,
  type PilotCase,
  pilotGroup,
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
export { type Decomposition, decompose } from "../measures/stability/decompose.js";
export { type GroupMeans, type GroupTest, groupMeans, groupTests } from "../measures/stability/group-means.js";
export {
  BOUNDARY_THRESHOLDS,
  boundaryState,
  CLASS_THRESHOLDS,
  LEAST_REPLICATES,
  LevelSequence,
  type Settled,
  stabilityClass,
} from "../measures/stability/level-sequence.js";
export {
  type Condition,
  crossedDesign,
  type DrawsCheck,
  drawsCheck,
  emptyReplicates,
  type Replicates,
  raoBlackwellGain,
} from "../measures/stability/replicates.js";
export type { RatioSlope, Slope } from "../measures/stability/slopes.js";
export { type StabilityCorrelation, stabilityCorrelations } from "../measures/stability/slopes.js";
export {
  classShares,
  PAPER_REPLICATES,
  plugInState,
  type Savings,
  savings,
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
