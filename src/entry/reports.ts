/**
 * @deprecated `report`, `gate` and `calibrate` of "defensible" give the numbers; the documents for terminals have no replacement.
 * @packageDocumentation
 */

export { PAGE_COLUMNS } from "../analysis/decision-scores.js";
export {
  buildCalibration,
  type CalibrationOutcome,
  type CalibrationRequest,
} from "../app/calibrate/build-calibration.js";
export {
  buildCompare,
  type ComparedAuditors,
  type CompareInput,
  type CompareInputs,
} from "../app/compare/build-compare.js";
export { buildGate, type GateInputs } from "../app/gate/build-gate.js";
export { buildReport, type KnownRule, type ReportInputs } from "../app/report/build-report.js";
export { buildDocument as attackBuildDocument } from "../experiments/attack/build/plan.js";
export { attackDocument } from "../experiments/attack/document/document.js";
export { circularityDocument } from "../experiments/circularity/document.js";
export { type DualDocumentOptions, dualDocument, flipsDocument } from "../experiments/dual/document.js";
export { gapDocument } from "../experiments/gap/document.js";
export { diffDocument } from "../experiments/rules/diff/document.js";
export { scopesDocument } from "../experiments/rules/scopes/document.js";
export { tiersDocument } from "../experiments/rules/tiers/document.js";
export { signalDocument } from "../experiments/signal/document.js";
export { replicateDocument } from "../experiments/study/document.js";
export type { GateReport, GateReportCommunity, GateSettings, WatchReport } from "../measures/gate/gate-report.js";
export { compareDocument, comparisonDocument } from "../present/document/compare-document.js";
export { junitXml, renderMarkdown, renderTerminal, type TestCase } from "../present/document/render.js";
export { type Checked, checkGate, gateCases, parseRequirement, REQUIREMENTS } from "../present/gate/gate-check.js";
export { gateDocument } from "../present/gate/gate-document.js";
export { buildPage, type PageGate, type PageOptions, type PageSubject } from "../present/page/build-page.js";
export { fitPage } from "../present/page/fit-page.js";
export { htmlFile, htmlShell } from "../present/page/html-file.js";
export { planDocument } from "../present/plan/plan-document.js";
export { calibrationDocument } from "../present/report/calibration-document.js";
export { reportDocument } from "../present/report/report-document.js";
