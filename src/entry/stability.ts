/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export type {
  CaseRow,
  Decomposition,
  DrawsCheck,
  GroupMeans,
  GroupTest,
  RatioSlope,
  Savings,
  Slope,
  StabilityCorrelation,
  TemperatureRow,
  ThresholdRow,
} from "../experiments/stability/result.js";
export * from "../measures/stability/action-flips.js";
export * from "../measures/stability/allocate.js";
export * from "../measures/stability/analyse-cells.js";
export * from "../measures/stability/analyse-stability.js";
export * from "../measures/stability/cell-stats.js";
export { decompose } from "../measures/stability/decompose.js";
export { groupMeans, groupTests } from "../measures/stability/group-means.js";
export * from "../measures/stability/level-sequence.js";
export {
  type Condition,
  crossedDesign,
  drawsCheck,
  emptyReplicates,
  type Replicates,
  raoBlackwellGain,
} from "../measures/stability/replicates.js";
export { stabilityCorrelations } from "../measures/stability/slopes.js";
export {
  classShares,
  PAPER_REPLICATES,
  plugInState,
  savings,
  settledState,
  thresholdMix,
  unstableShare,
} from "../measures/stability/tallies.js";
export * from "../measures/stability/temperature-table.js";
