/**
 * @deprecated Import from "defensible/measures" instead.
 * @packageDocumentation
 */

export * from "../measures/grounding/cited-passages.js";
export { QUOTED_WORDS, type QuotedSpan, quotedSpans, tokenOverlap } from "../measures/grounding/frame-index.js";
export { GROUNDED_OVERLAP, groundCitation, NAMED_GROUNDED_OVERLAP } from "../measures/grounding/ground-citation.js";
export { LINT_CHECKS, type LintCheck, type RuleFinding } from "../measures/grounding/lint/finding.js";
export { type LintOptions, lintRules } from "../measures/grounding/lint/lint-rules.js";
export type { RuleUse } from "../measures/grounding/lint/wording.js";
export { type RuleInText, type RulesInText, rulesInText } from "../measures/grounding/rules-in-text.js";
export { CHECK_NAMES } from "../measures/grounding/scope/checks/index.js";
export { nearness } from "../measures/grounding/scope/read-frame.js";
export { nearestRules } from "../measures/grounding/scope/scope-case.js";
export * from "../measures/grounding/scope/scope-verdict.js";
export * from "../measures/grounding/stated-reason.js";
