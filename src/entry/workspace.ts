/**
 * @deprecated `defensible({ workspace })` of "defensible" opens a workspace; the files behind it have no replacement.
 * @packageDocumentation
 */

export { type AppliedCalibration, applyToAudits, applyToFile } from "../analysis/apply-calibration.js";
export { loadCohorts } from "../analysis/gate/cohorts.js";
export { type ExportOptions, exportDecisions } from "../app/export/export-decisions.js";
export { type AuditsPlace, findAudits } from "../app/find-audits.js";
export { type ImportOptions, type ImportProgress, importFiles } from "../app/import/import.js";
export type { FileImport, ImportResult, ReasonCount } from "../app/import/import-report.js";
export {
  type ChosenTarget,
  chooseTarget,
  type LoadedScores,
  loadScores,
  type TargetRequest,
} from "../app/report/choose-target.js";
export { targetName } from "../core/names.js";
export { csvHeader, csvRow } from "../core/records/csv-row.js";
export { newestFitting, newestToShow } from "../store/calibrations.js";
export { createCohort, parseFilter } from "../store/cohorts.js";
export type { Context, Stores } from "../store/context.js";
export { CONFIG_FILE } from "../store/files/config-file.js";
export { readWatch, writeWatch } from "../store/files/gate-files.js";
export {
  calibrationPath,
  deleteCohort,
  listCalibrations,
  listCohorts,
  readCalibration,
  readCalibrationFile,
  readCohort,
  readWeights,
  surveyCalibrations,
  writeCalibration,
  writeWeights,
} from "../store/files/kept-results.js";
export { RouteLog, readRoutes } from "../store/files/log-files.js";
export { readDecisions, readLabels, readPrecedents } from "../store/files/records.js";
export { loadRuleSets, parseRuleSet } from "../store/files/rule-files.js";
export { type FileContext, fileContext } from "../store/files/stores.js";
export {
  createWorkspace,
  findWorkspace,
  openWorkspace,
  type Workspace,
  type WorkspacePaths,
  workspaceAt,
  workspacePaths,
  workspaceWith,
} from "../store/files/workspace.js";
export { flattenRecord } from "../store/formats/csv-table.js";
export { type ForeignFile, foreignFile } from "../store/formats/foreign-rows.js";
export { type MemoryOptions, memoryContext } from "../store/memory/stores.js";
export type { DamagedCalibration, Reject, RuleFile } from "../store/ports.js";
export { isRepeated, otherLooks, type RecordedLook, readLooks, type StoredWatch } from "../store/records/gate-event.js";
export type { RecordKind } from "../store/records/record-kinds.js";
