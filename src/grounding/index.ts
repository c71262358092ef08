export { GROUNDED_OVERLAP, groundCitation, NAMED_GROUNDED_OVERLAP } from "./ground-citation.js";
export { QUOTED_WORDS, type QuotedSpan, quotedSpans } from "./quoted-spans.js";
export { type RuleInText, type RulesInText, rulesInText } from "./rules-in-text.js";
export { tokenOverlap } from "./token-overlap.js";
