export { createBaselineAuditor } from "./baseline-auditor.js";
