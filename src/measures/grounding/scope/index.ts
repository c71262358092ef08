export { CHECK_NAMES, CHECKS, type CheckName } from "./checks/index.js";
export { nearness } from "./read-frame.js";
export { nearestRules } from "./scope-case.js";
export type { ScopeCheck, ScopeInput, ScopeVerdict } from "./scope-verdict.js";
export { SCOPE_CONSTANTS, SCOPE_THRESHOLD, SCOPE_WEIGHTS, scopeSuspicion, verifyScope } from "./scope-verdict.js";
