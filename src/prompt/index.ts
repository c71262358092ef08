export { createPrompter, type PrompterOptions, promptVersion } from "./audit-prompt.js";
export {
  createDecisionPrompter,
  type DecisionPrompterOptions,
  decisionFormat,
  decisionPromptVersion,
} from "./decision-prompt.js";
export { encodeText } from "./encode.js";
export { gbnf } from "./gbnf.js";
export { geminiSchema } from "./gemini-schema.js";
export { jsonSchema } from "./json-schema.js";
export { type OutputField, type OutputFormat, TRACE_FORMATS } from "./output-format.js";
export type { Prompt, PromptNotes, TokenCounter } from "./prompt.js";
export {
  createScopePrompter,
  SCOPE_FORMAT,
  type ScopePrompterOptions,
  type ScopeQuestion,
  scopePromptVersion,
} from "./scope-prompt.js";
export { createScrub, type Scrub, unscrub } from "./scrub.js";
export { createTokenCounter } from "./token-counter.js";
