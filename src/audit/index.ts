export { type Arm, OPPOSITE_ARM, PLAIN_ARM, scopeArm, temperatureArm, tierArm } from "./arms.js";
export { type AuditTask, auditOne } from "./audit-one.js";
export { type FrameEntry, Frames } from "./frames.js";
export { RuleBook, type RulesInForce } from "./rules-in-force.js";
export { auditAll } from "./run.js";
export { type AuditRequest, type AuditResult, runAudit } from "./run-audit.js";
export {
  type AskFunction,
  type AskScopeOptions,
  askScope,
  type DualSide,
  type DualVerdict,
  dualVerdict,
  type ScopeAnswer,
  type ScopeReply,
} from "./scope-question/index.js";
export { type DecisionSource, type Selection, selectDecisions } from "./selection.js";
export type { RunSettings } from "./settings.js";
export { type TaskSettings, tasksOf } from "./tasks.js";
