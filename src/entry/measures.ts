/**
 * Formulas: signals of an answer, metrics of audits, calibration, gates, stability and citations. They do no I/O and run in a browser.
 * @packageDocumentation
 */

export {
  type RowTarget,
  type ScoreColumnsOptions,
  scoreColumnsFromRows,
} from "../measures/calibration/score-columns.js";
export { type MeasuredRow, talliesFromRows } from "../measures/metrics/tally.js";
export * from "./calibration.js";
// The same names mean two things.
export { type CompareOptions, classShares } from "./calibration.js";
export * from "./gate.js";
export * from "./grounding.js";
export type { CompareOptions as CompareRunsOptions } from "./metrics.js";
export * from "./metrics.js";
export * from "./signals.js";
export * from "./stability.js";
export { classShares as stabilityShares } from "./stability.js";
