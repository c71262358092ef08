export { DIALECTS, type Dialect } from "./dialects.js";
export { familyOf, type ModelFamily } from "./families.js";
export { createOpenAIAuditor, OpenAIAuditor } from "./openai-auditor.js";
