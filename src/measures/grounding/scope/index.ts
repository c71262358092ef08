export { CHECK_NAMES, CHECKS, type CheckName } from "./checks/index.js";
export { nearestRules } from "./nearest-rules.js";
export { nearness } from "./nearness.js";
export type { ScopeCheck, ScopeInput, ScopeVerdict } from "./scope-verdict.js";
export { SCOPE_CONSTANTS, SCOPE_THRESHOLD, SCOPE_WEIGHTS, scopeSuspicion } from "./suspicion.js";
export { verifyScope } from "./verify-scope.js";
