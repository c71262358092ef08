/**
 * @deprecated Import from "defensible" instead.
 * @packageDocumentation
 */

export { type Selection, selectDecisions } from "../app/audit/audit-request.js";
export { type TaskSettings, tasksOf } from "../app/audit/plan.js";
export { auditAll } from "../app/audit/run.js";
export { type AuditRequest, type AuditResult, runAudit } from "../app/audit/run-audit.js";
export {
  type Arm,
  OPPOSITE_ARM,
  PLAIN_ARM,
  type RunSettings,
  scopeArm,
  temperatureArm,
  tierArm,
} from "../audit/arms.js";
export { type AuditTask, auditOne } from "../audit/audit-one.js";
export { type FrameEntry, Frames } from "../audit/frames.js";
export { type DecisionSource, RuleBook, type RulesInForce } from "../audit/rules-in-force.js";
export {
  type AskFunction,
  type AskScopeOptions,
  askScope,
  type DualSide,
  type DualVerdict,
  dualVerdict,
  type ScopeAnswer,
  type ScopeReply,
} from "../audit/scope-question/ask-scope.js";
