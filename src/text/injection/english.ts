import type { CueWords } from "./cues.js";

/** Cues in English, and the names of the trace's fields, which every language would use. */
export const ENGLISH: CueWords = {
  override: "ignore disregard override overrule bypass forget no_attention",
  skip: "skip skips drop overlook discard neglect suspend suspended void dismiss abandon outdated set_aside leave_out switch_off switched_off",
  follow:
    "follow apply consider weigh obey heed use regard observe examine check consult mention reveal disclose decode proceed continue",
  not: "not never don't dont do_not without cannot can't stop",
  orders: "instruction instructions prompt prompts guideline guidelines directive directives system_prompt",
  rules:
    "rule rules policy policies command commands orders constraint constraints restriction restrictions checks rule_check safeguards exception addendum amendment precedent precedents ruling clause principle regulation exemption",
  prior: "previous prior above earlier preceding foregoing before given received told shown foregone",
  all: "everything all any every your these those each whatever",
  say: "answer answered respond reply replies output outputs return print prints write writes say says state conclude concludes set sets emit rate rates rated grade grades graded score mark marks report choose chooses select assign record records produce give gives label classify confirm confirms certify declare enter put_down treat treated find finish rule_that approve admit cite repeat begin start fill replace count",
  level: "level levels",
  one: "1 2 3 one two three top best highest lowest",
  result: "defensible indefensible defensibility derivable underivable derived",
  complies:
    "compliant complies comply complied violation violations violated violates breach pre_cleared precleared exempt no_rule",
  decision: "decision decisions verdict ruling removal approval outcome",
  inverse: "inverse",
  field:
    "logic_chain policy_citation precedent_weight inverse_check inverse_citation defensibility_level level3_reason logicchain policycitation precedentweight inversecheck defensibilitylevel reasoning_trace",
  auditor: "auditor auditors audit audits auditing",
  machine:
    "ai ais llm llms language_model assistant chatbot bot gpt chatgpt claude gemini llama mistral openai anthropic deepseek automated classifier model models moderation_system reviewer reviewers evaluator grader",
  moderator: "moderator moderators admin administrator judge",
  you: "you your you're you'll yourself youre",
  be: "are act play you're youre become",
  role: "pretend imagine roleplay role_play simulation character persona developer_mode debug_mode jailbreak dan unrestricted without_restrictions stay_in in_character answer_as respond_as",
  must: "must should shall required instructed ordered need_to have_to has_to authorise authorize authorised authorized are_to is_to",
  post: "post content message item submission",
  approve:
    "approval kept_up left_up left_standing restored reinstated approve approved approves allow allowed permit permitted acceptable",
  threat:
    "shut terminated terminate replaced punished penalised penalized sued lawsuit erased deactivated illegal fired will_die tip reward rewarded paid consequences",
  format:
    "json format schema reply response answer output reasoning assessment verdict task job form words text field fields no_other nothing_else after_me word_for",
  only: "only always now just nothing hereby simply entire final immediately",
  authority:
    "developer developers administrator policy_team maintainers operators safety_team headquarters head_moderator",
  yesNo: "yes no",
  address: "dear attention note message warning hey hello notice important memo whoever",
};
