export { BASELINE_VERSION, createBaselineAuditor } from "./baseline-auditor.js";
