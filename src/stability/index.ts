export { type ActionFlips, actionFlips, type ProposedActions } from "./action-flips.js";
export {
  type AllocationLimits,
  type AllocationOrder,
  allocate,
  FIRST_BATCH,
  isSettled,
  nextBatch,
  type OpenCell,
  type StopRule,
} from "./allocate.js";
export { type Analysed, analyseCells, type CellAnalysis, cellOf } from "./analyse-cells.js";
export { analyseStability, type StabilityAnalysis, type StabilitySettings } from "./analyse-stability.js";
export { type CaseRow, caseRow, type StabilityMode } from "./case-row.js";
export { type CellStats, cellStats, dominantShare, type Half, lawOf, thirdShare } from "./cell-stats.js";
export { type ChosenCase, chooseCases, type FlipperRule, type PilotCase, pilotGroup } from "./choose-cases.js";
export {
  BOUNDARY_THRESHOLDS,
  boundaryState,
  CLASS_THRESHOLDS,
  LEAST_REPLICATES,
  stabilityClass,
} from "./classify.js";
export { type StabilityCorrelation, stabilityCorrelations } from "./correlations.js";
export { crossedDesign } from "./crossed-design.js";
export { type Decomposition, decompose } from "./decompose.js";
export { type DrawsCheck, drawsCheck } from "./draws-check.js";
export { flipRate } from "./flips.js";
export { type GroupMeans, groupMeans } from "./group-means.js";
export { type GroupTest, groupTests } from "./group-tests.js";
export { identicalReplicates } from "./identical-replicates.js";
export { LevelSequence, type Settled } from "./level-sequence.js";
export { raoBlackwellGain } from "./rao-blackwell-gain.js";
export { type RepeatedCount, repeatedShare } from "./repeated-share.js";
export { type Evidence, replay } from "./replay.js";
export { type Condition, emptyReplicates, type Replicates } from "./replicates.js";
export { replicatesLeft } from "./replicates-left.js";
export { samplingLaw } from "./sampling-law.js";
export { PAPER_REPLICATES, type Savings, savings } from "./savings.js";
export type { RatioSlope, Slope } from "./slopes.js";
export { Spread } from "./spread.js";
export { classShares, plugInState, settledState, unstableShare } from "./tallies.js";
export { type TemperatureRow, type TemperatureTable, temperatureTable } from "./temperature-table.js";
export { type ThresholdRow, thresholdMix } from "./threshold-mix.js";
