export { createOpenAIAuditor, OpenAIAuditor } from "./auditor.js";
export { DIALECTS, type Dialect } from "./dialects.js";
export { familyOf, type ModelFamily } from "./request-shape.js";
