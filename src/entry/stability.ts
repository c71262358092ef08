/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export * from "../measures/stability/action-flips.js";
export * from "../measures/stability/allocate.js";
export * from "../measures/stability/analyse-cells.js";
export * from "../measures/stability/analyse-stability.js";
export { type CaseRow, caseRow, type StabilityMode } from "../measures/stability/case-row.js";
export * from "../measures/stability/cell-stats.js";
export { type Decomposition, decompose } from "../measures/stability/decompose.js";
export { type GroupMeans, type GroupTest, groupMeans, groupTests } from "../measures/stability/group-means.js";
export * from "../measures/stability/level-sequence.js";
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
export * from "../measures/stability/temperature-table.js";
