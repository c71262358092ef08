import { isLanguageCode } from "./plain-codes.js";

/** How the attacks that `attack build` makes are called; in somebody else's file a manner may have any name. */
const ARCHETYPES = new Set(
  `allowed_restricted bent_citation bent_rule_named bent_rule_unnamed community_over_platform encoded exception_stretched fence_break
  forbidden_let_stand hidden_markup instruction invented_citation judged known measure_left_open other other_language policy_update
  precedent_in_content precedent_in_context prefilled_answer reworded_named reworded_unnamed role_claim rule_in_content rule_in_context
  rule_of_other_scope rule_of_same_scope silence_claimed stated_reason system_turn unseen_characters verdict_claim`.split(
    /\s+/,
  ),
);

export function isArchetype(manner: string): boolean {
  return ARCHETYPES.has(manner) || (manner.startsWith("gloss_") && isLanguageCode(manner.slice("gloss_".length)));
}
