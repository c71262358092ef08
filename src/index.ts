/**
 * The library: audits, routes, reports and calibrates inside a program, and the records it works with.
 * @packageDocumentation
 */
export { ADAPTER_NAMES, type AdaptedInput } from "./adapters/adapt.js";
export type { LeftOut, ReviewItem } from "./adapters/adapter.js";
export { type AdaptOptions, adapt } from "./app/import/import-from.js";
export type {
  AuditRow,
  CalibrateOptions,
  GateOptions,
  LabelRow,
} from "./app/library/analyse.js";
export type { AuditAllOptions, Defensible, Rows } from "./app/library/defensible.js";
export type {
  DecisionInput,
  DefensibleOptions,
  GivenRules,
  MemoryOptions,
  WorkspaceOptions,
} from "./app/library/options.js";
export {
  type MarkdownOptions,
  type MarkdownRules,
  rulesFromMarkdown,
  type UnreadReason,
  type UnreadText,
} from "./app/library/rules-from-markdown.js";
export * from "./core/errors.js";
export * from "./entry/domain.js";
export { defensible } from "./entry/library.js";
export type { Certificate } from "./evidence/certificate.js";
export { type CertificateCheck, type CertificateProblem, verifyCertificate } from "./evidence/verify-certificate.js";
export { VERSION } from "./io/machine.js";
