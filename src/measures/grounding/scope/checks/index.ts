import { conditionMet } from "./condition-met.js";
import { exception } from "./exception.js";
import type { Check } from "./finding.js";
import { levelFits } from "./level-fits.js";
import { nearestRule } from "./nearest-rule.js";
import { polarity } from "./polarity.js";
import { precedence } from "./precedence.js";
import { precedentsAgree } from "./precedents-agree.js";
import { prohibitionUnmet } from "./prohibition-unmet.js";
import { prohibitionsDenied } from "./prohibitions-denied.js";
import { quoteOfCitedRule } from "./quote-of-cited-rule.js";
import { quoteVerbatim } from "./quote-verbatim.js";
import { ruleExists } from "./rule-exists.js";

/** All checks by name, in the order in which they are told. */
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
