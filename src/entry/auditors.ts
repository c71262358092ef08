/**
 * Models that audit: the contract, and those that are built in.
 * @packageDocumentation
 */

export * from "../audit/prompt/index.js";
export type { Answers, Ask, Auditor, Measured, Price, PromptNeeds } from "../auditors/auditor.js";
export type { BatchClient, BatchHandle, BatchItem, BatchResult, BatchStatus } from "../auditors/batch-client.js";
export { CALL_FAULTS, CallError, type CallFault } from "../auditors/call-error.js";
export type { Capabilities } from "../auditors/capabilities.js";
export { AUDITOR_FORMS, type AuditorOptions, createAuditor } from "../auditors/create-auditor.js";
export type { Pace } from "../auditors/pace.js";
