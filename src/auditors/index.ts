export type { Auditor, GenerateOptions } from "./auditor.js";
export { createAuditor } from "./create-auditor.js";
