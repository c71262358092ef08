export { type AskFunction, type AskScopeOptions, askScope, type ScopeReply } from "./ask-scope.js";
export { type DualSide, type DualVerdict, dualVerdict } from "./dual-audit.js";
export { readScopeAnswer, type ScopeAnswer } from "./read-scope-answer.js";
