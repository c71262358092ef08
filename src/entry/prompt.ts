/**
 * @deprecated Import from "defensible/auditors" instead.
 * @packageDocumentation
 */

export {
  createDecisionPrompter,
  createPrompter,
  type DecisionPrompterOptions,
  decisionFormat,
  decisionPromptVersion,
  type PrompterOptions,
  promptVersion,
} from "../audit/prompt/audit-prompt.js";
export { encodeText } from "../audit/prompt/encode.js";
export * from "../audit/prompt/scope-prompt.js";
export { createTokenCounter } from "../audit/prompt/token-counter.js";
export { geminiSchema } from "../auditors/gemini/answer.js";
export { gbnf } from "../auditors/gguf/grammar.js";
export * from "../auditors/output-format.js";
export { createScrub, type Scrub, unscrub } from "../text/scrub/scrub.js";
