export { type Arm, OPPOSITE_ARM, PLAIN_ARM, scopeArm, temperatureArm, tierArm } from "./arms.js";
export { type AuditTask, auditOne } from "./audit-one.js";
export { type FrameEntry, Frames } from "./frames.js";
export { RuleBook, type RulesInForce } from "./rules-in-force.js";
export { auditAll, tasksOf } from "./run.js";
export { type AuditRequest, type AuditResult, runAudit } from "./run-audit.js";
export { type Selection, selectDecisions } from "./selection.js";
export type { RunSettings } from "./settings.js";
