/**
 * Models that audit: the contract, and those that are built in.
 * @packageDocumentation
 */

export type {
  Answers,
  Ask,
  Auditor,
  BatchClient,
  BatchHandle,
  BatchItem,
  BatchResult,
  BatchStatus,
  Capabilities,
  Measured,
  Pace,
  Price,
  PromptNeeds,
} from "../auditors/auditor.js";
export { CALL_FAULTS, CallError, type CallFault } from "../auditors/call-error.js";
export { AUDITOR_FORMS, type AuditorOptions, createAuditor } from "../auditors/create-auditor.js";
export * from "./prompt.js";
