export {
  type AskFunction,
  type AskScopeOptions,
  askScope,
  readScopeAnswer,
  type ScopeAnswer,
  type ScopeReply,
} from "./ask-scope.js";
export { type DualSide, type DualVerdict, dualVerdict } from "./dual-audit.js";
