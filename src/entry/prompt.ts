/**
 * @deprecated Import from "defensible/auditors" instead.
 * @packageDocumentation
 */

export {
  createDecisionPrompter,
  createPrompter,
  createScopePrompter,
  type DecisionPrompterOptions,
  decisionFormat,
  decisionPromptVersion,
  type PrompterOptions,
  promptVersion,
  SCOPE_FORMAT,
  type ScopePrompterOptions,
  type ScopeQuestion,
  scopePromptVersion,
} from "../audit/prompt/audit-prompt.js";
export { encodeText } from "../audit/prompt/encode.js";
export { createTokenCounter } from "../audit/prompt/token-counter.js";
export { geminiSchema } from "../auditors/gemini/answer.js";
export {
  gbnf,
  jsonSchema,
  type OutputField,
  type OutputFormat,
  type Prompt,
  type PromptNotes,
  type TokenCounter,
  TRACE_FORMATS,
} from "../auditors/output-format.js";
export { createScrub, type Scrub, unscrub } from "../text/scrub/scrub.js";
