export { buildReplicate, type ReplicateInputs } from "./build-replicate.js";
export { heldOutRow, type PaperCalibration, paperCalibration } from "./calibration-table.js";
export { ACCESSORS, comparePaper } from "./compare-paper.js";
export { COHORT_ROLES, type CohortNames, type CohortRole } from "./datasets.js";
export { type GateTable, gateTable } from "./gate-table.js";
export type { PaperValue } from "./paper-robustness.js";
export { PAPER_VALUES } from "./paper-values.js";
export type { StepResults } from "./results.js";
export { RATERS, type RaterSettings, simulatedRatings } from "./simulated-ratings.js";
