export type { Answers, Ask, Auditor, Measured, Price, PromptNeeds } from "./auditor.js";
export type { BatchClient, BatchHandle, BatchItem, BatchResult, BatchStatus } from "./batch-client.js";
export { CALL_FAULTS, CallError, type CallFault } from "./call-error.js";
export type { Capabilities } from "./capabilities.js";
export { AUDITOR_FORMS, type AuditorOptions, createAuditor } from "./create-auditor.js";
export type { Pace } from "./pace.js";
