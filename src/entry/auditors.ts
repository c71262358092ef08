/**
 * Models that audit: the contract, and those that are built in.
 * @packageDocumentation
 */

export {
  type Answers,
  type Ask,
  type Auditor,
  type BatchClient,
  type BatchHandle,
  type BatchItem,
  type BatchResult,
  type BatchStatus,
  CALL_FAULTS,
  CallError,
  type CallFault,
  type Capabilities,
  type Measured,
  type Pace,
  type Price,
  type PromptNeeds,
} from "../auditors/auditor.js";
export { AUDITOR_FORMS, type AuditorOptions, createAuditor } from "../auditors/create-auditor.js";
export * from "./prompt.js";
