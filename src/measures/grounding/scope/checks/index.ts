import { conditionMet, exception, prohibitionsDenied, prohibitionUnmet } from "./prohibitions.js";
import { nearestRule, quoteOfCitedRule, quoteVerbatim, ruleExists } from "./quotes.js";
import { type Check, levelFits, polarity, precedence, precedentsAgree } from "./verdict.js";

/** All checks by name, in the order in which they are reported. */
export const CHECKS = {
  rule_exists: ruleExists,
  quote_verbatim: quoteVerbatim,
  quote_of_cited_rule: quoteOfCitedRule,
  nearest_rule: nearestRule,
  condition_met: conditionMet,
  prohibition_unmet: prohibitionUnmet,
  exception,
  precedence,
  polarity,
  prohibitions_denied: prohibitionsDenied,
  level_fits: levelFits,
  precedents_agree: precedentsAgree,
} as const satisfies Record<string, Check>;

export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];
