/**
 * @deprecated `defensible({ workspace })` of "defensible" opens a workspace; the files behind it have no replacement.
 * @packageDocumentation
 */

export * from "../analysis/arm-pairs.js";
export { type AuditTable, openAuditTable } from "../analysis/audit-table.js";
export {
  type AttackCandidate,
  type DecisionScores,
  loadDecisionFields,
  readAttackCandidates,
  readDecisionScores,
} from "../analysis/decision-scores.js";
export {
  type DualAudits,
  type DualStratum,
  readContradictions,
  readDualAudits,
  readDualLabels,
  readInverseScores,
} from "../analysis/dual-audits.js";
export { type CohortRule, countCohortRules } from "../analysis/gate/cohorts.js";
export {
  addThreads,
  type CountOptions,
  countGateCohorts,
  countSlices,
  hasThreads,
  type SliceCount,
  type SliceOptions,
  type ThreadsAt,
} from "../analysis/gate/counts.js";
export * from "../analysis/gate/evidence.js";
export { firstDecisions, GateStream, type StreamRow, WATCH_COLUMNS } from "../analysis/gate/stream.js";
export { loadJsonLines } from "../analysis/json-lines-table.js";
export {
  loadGoldTargets,
  loadLabelSample,
  loadLabelTargets,
  loadReplicateTargets,
  loadVerdictTargets,
  makeTargets,
  openFile,
  TARGETS,
  type TargetCount,
} from "../analysis/labels/label-sample.js";
export * from "../analysis/labels/true-verdicts.js";
export * from "../analysis/paired-audits.js";
export {
  countRepeats,
  type RepeatCount,
  type ReplicateColumns,
  readReplicates,
} from "../analysis/replicate-columns.js";
export * from "../analysis/replicates.js";
export { readDecisionIds, readScoreColumns, SCORE_COLUMNS, type ScoreOptions } from "../analysis/score-table.js";
export * from "../analysis/signal-columns.js";
export {
  countSignals,
  flagCounts,
  HUMAN_ARM,
  humanPairs,
  type ShareName,
  weightsByLevel,
} from "../analysis/signal-counts.js";
export * from "../analysis/tallies.js";
export type { ResponseCache } from "../audit/calls/caller.js";
export { decodeGeneration, encodeGeneration } from "../auditors/recorded/generation-codec.js";
export * from "../auditors/recorded/raw-log.js";
export { type RawBatch, type RawLine, RawReader, readRawLog } from "../auditors/recorded/raw-reader.js";
export { fileError, writeFileAtomic } from "../io/files.js";
export { acquireLock } from "../io/lock.js";
export { type Line, LineLog, readLines } from "../io/read-lines.js";
export { type Duck, openDuckDB, sqlString, withDuckDB } from "../store/files/duckdb.js";
export { openResponseCache } from "../store/files/response-cache.js";
export { FileLedger } from "../store/files/run-store.js";
export type { AuditSource, DecisionFiles, Outcome, RunStore, RunWriter } from "../store/ports.js";
