export { countPatterns, countRulePatterns, countScopePatterns, listArms, pairArms } from "./arm-pairs.js";
export { type AttackCandidate, readAttackCandidates } from "./attack-candidates.js";
export { sqlString } from "./audit-columns.js";
export { type AuditTable, openAuditTable } from "./audit-table.js";
export { listMoved, type Move } from "./changed-decisions.js";
export { type CohortRule, countCohortRules } from "./cohort-rules.js";
export { type DecisionFiles, loadDecisionFields } from "./decision-fields.js";
export { type DecisionScores, readDecisionScores } from "./decision-scores.js";
export {
  type DualAudits,
  type DualStratum,
  readContradictions,
  readDualAudits,
  readDualLabels,
  readInverseScores,
} from "./dual-audits.js";
export { type Duck, openDuckDB, withDuckDB } from "./duckdb.js";
export { countFamilies, type FamilyCount } from "./family-counts.js";
export { FileLedger } from "./file-ledger.js";
export { fileError, writeFileAtomic } from "./files.js";
export { type CauseCount, countGapCells, type GapCells, type GapRows } from "./gap-cells.js";
export { type CountOptions, countGateCohorts, heldOut } from "./gate-counts.js";
export { GATE_EVIDENCE, gateEvidence } from "./gate-evidence.js";
export { firstDecisions, GateStream, type StreamRow, WATCH_COLUMNS } from "./gate-stream.js";
export { decodeGeneration, encodeGeneration } from "./generation-codec.js";
export { loadJsonLines } from "./json-lines-table.js";
export { countJudgements } from "./label-counts.js";
export { loadLabelSample, loadLabelTargets } from "./label-sample.js";
export type { AuditSource, Ledger, Outcome, RunWriter } from "./ledger.js";
export { LineLog } from "./line-log.js";
export { acquireLock } from "./lock.js";
export {
  type PairedAudits,
  type PairSide,
  type RunSettings,
  readPairedAudits,
  SETTING_COLUMNS,
} from "./paired-audits.js";
export { RAW_LOG_NAME, type RawRun, type RawSettings } from "./raw-header.js";
export { type RawAnswer, RawLog, unpackGeneration } from "./raw-log.js";
export { type RawBatch, type RawLine, RawReader, readRawLog } from "./raw-reader.js";
export { type Line, readLines } from "./read-lines.js";
export { countRepeats, type RepeatCount } from "./repeat-counts.js";
export { type ReplicateColumns, readReplicates } from "./replicate-columns.js";
export {
  loadReplicates,
  measuredDecisions,
  PILOT_ARM,
  type ReadReplicates,
  type ReplicateOptions,
  type ReplicateSource,
} from "./replicates.js";
export { openResponseCache, type ResponseCache } from "./response-cache/response-cache.js";
export { type ArmCount, countArms, EVIDENCE_COLUMNS, readEvidence } from "./score-evidence.js";
export { readDecisionIds, readScoreColumns, SCORE_COLUMNS, type ScoreOptions } from "./score-table.js";
export {
  type ArmSize,
  armSizes,
  makeReplicateSpread,
  readBeside,
  readSignalColumns,
  SIGNAL_COLUMNS,
  type SignalColumns,
} from "./signal-columns.js";
export { countSignals, flagCounts, HUMAN_ARM, humanPairs, type ShareName, weightsByLevel } from "./signal-counts.js";
export { countSlices, type SliceCount, type SliceOptions } from "./slice-counts.js";
export { countCells, groupCells, type TallyGroup, tallyByCohort, tallyByRule } from "./tallies.js";
export {
  loadGoldTargets,
  loadReplicateTargets,
  loadVerdictTargets,
  TARGETS,
  type TargetCount,
} from "./targets.js";
export { addThreads, hasThreads, type ThreadsAt } from "./thread-counts.js";
export { loadTrueVerdicts, TRUE_VERDICTS, TRUTH_COLUMNS, type TruthPlaces, type TruthSource } from "./true-verdicts.js";
