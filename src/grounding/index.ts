export { type CitedPassages, citedPassages, PASSAGE_WORDS, type TextRange } from "./cited-passages.js";
export { GROUNDED_OVERLAP, groundCitation, NAMED_GROUNDED_OVERLAP } from "./ground-citation.js";
export { LINT_CHECKS, type LintCheck, type RuleFinding } from "./lint/finding.js";
export { type LintOptions, lintRules } from "./lint/lint-rules.js";
export type { RuleUse } from "./lint/use.js";
export { QUOTED_WORDS, type QuotedSpan, quotedSpans } from "./quoted-spans.js";
export { type RuleInText, type RulesInText, rulesInText } from "./rules-in-text.js";
export {
  CHECK_NAMES,
  nearestRules,
  nearness,
  SCOPE_THRESHOLD,
  SCOPE_WEIGHTS,
  type ScopeCheck,
  type ScopeInput,
  type ScopeVerdict,
  scopeSuspicion,
  verifyScope,
} from "./scope/index.js";
export { tokenOverlap } from "./token-overlap.js";
