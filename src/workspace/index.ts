export { csvHeader, csvRow } from "../domain/csv-row.js";
export { targetName } from "../figures/calibration-words.js";
export { type AppliedCalibration, applyToAudits, applyToFile } from "./apply-calibration.js";
export {
  calibrationPath,
  type DamagedCalibration,
  listCalibrations,
  newestFitting,
  newestToShow,
  readCalibration,
  readCalibrationFile,
  surveyCalibrations,
  writeCalibration,
} from "./calibration-store.js";
export { type ChosenTarget, chooseTarget, type TargetRequest } from "./choose-target.js";
export { createCohort, deleteCohort, listCohorts, readCohort } from "./cohorts.js";
export { CONFIG_FILE, parseActions } from "./config-file.js";
export { type ExportOptions, exportDecisions } from "./export-decisions.js";
export { parseFilter } from "./filter.js";
export { flattenRecord } from "./flatten-record.js";
export { isRepeated, otherLooks, type RecordedLook, readLooks } from "./gate-looks.js";
export { type ImportOptions, type ImportProgress, importFiles } from "./import.js";
export type { FileImport, ImportResult } from "./import-report.js";
export { loadCohorts } from "./load-cohorts.js";
export { type AuditsPlace, findAudits, type LoadedScores, loadScores } from "./load-scores.js";
export type { RecordKind } from "./record-kinds.js";
export { readDecisions, readLabels, readPrecedents } from "./records.js";
export type { ReasonCount } from "./reject-tally.js";
export type { Reject } from "./rejects.js";
export { RouteLog, readRoutes } from "./route-log.js";
export { loadRuleSets, parseRuleSet, type RuleFile } from "./rule-files.js";
export { readWatch, type StoredWatch, writeWatch } from "./watch-store.js";
export { createWorkspace, findWorkspace, openWorkspace, type Workspace, type WorkspacePaths } from "./workspace.js";
