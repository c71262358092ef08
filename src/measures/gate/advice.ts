import type { GateState } from "../../core/gate.js";
import type { OpenLabels } from "../../core/results/report.js";
import { plural } from "../../text/words.js";
import { labelsAlike } from "../metrics/tally.js";
import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";
import { meetsHarm } from "./harm.js";
import type { MoreDecisions } from "./more-decisions.js";

export const ADVICE_ACTIONS = [
  "automate",
  "collect",
  "retrain",
  "write_rule",
  "clarify_rule",
  "revise_platform_rule",
  "develop_precedents",
  "check_auditor",
  "keep_reviewing",
] as const;
export type AdviceAction = (typeof ADVICE_ACTIONS)[number];

/** How many of the verdicts under a rule have a defensible opposite (inverse = Yes). */
export interface RuleAmbiguity {
  rule_id: string;
  title: string;
  scope: string;
  yes: number;
  /** Verdicts, among these, that are open both ways (level 1 or 2); absent: all. */
  open?: number;
  n: number;
  /** Human labels of the verdicts under this rule that are open both ways; absent: no labels. */
  open_labels?: OpenLabels;
}

export interface Advice {
  action: AdviceAction;
  /** One sentence. Titles and names in it are as their authors wrote them: escape them before display. */
  text: string;
  rule_id: string | null;
}

export interface AdviceInput {
  cohort: GateCohort;
  limits: GateLimits;
  state: GateState;
  /** Whether the community passes in the active mode, and what it lacks there. */
  passes: boolean;
  more: MoreDecisions;
  /** What it lacks for the harm limit alone in that mode; absent: harm is not limited. */
  harm?: MoreDecisions | undefined;
  rules?: readonly RuleAmbiguity[] | undefined;
}

/** Smallest share of the ambiguous verdicts for which one rule is worth naming. Below it they are spread over many rules. */
const NAMED_RULE_SHARE = 0.25;

/**
 * The next step for a community.
 *
 * Formula: passes → automate. Too few verdicts, or good rates not yet proven → collect k more (keep reviewing where more data will not help).
 * Policy gaps: if the verdicts that are open both ways exceed ai·n by more than the indefensible ones exceed (1 − di)·n → as with normative
 * complexity, counting only verdicts open both ways; otherwise, if at least half of the indefensible verdicts have a defensible opposite, the
 * decider is wrong → retrain; otherwise neither outcome follows from the rules → write the rule. Normative complexity: take the rule with most
 * ambiguous verdicts, if it has a quarter of them → check the auditor, if at least 20 of its open verdicts have a human label and 90% of these
 * labels are the same action; otherwise revise it (platform), clarify it (community), or develop precedents (anything else, or no such rule). If
 * the harm limit alone would not be met either, a second sentence says so.
 * Range: one action, and one sentence or two.
 * Undefined when: never.
 * Differs from the paper: the paper names the remedies of its states in prose, without a rule.
 * @see paper §5.3
 * @example
 * advise({ passes: true }).action // => "automate"
 */
export function advise(input: AdviceInput): Advice {
  const advice = adviseOnRates(input);
  const { passes, state, cohort, limits, harm } = input;
  if (passes || !harm || harm.more === 0) return advice;
  const isMet = meetsHarm(cohort, limits);
  // While the rates meet their limits, the advice is already about harm.
  if (state === "earned_autonomy" && !isMet) return advice;
  return { ...advice, text: `${advice.text} ${harmText(isMet, harm)}` };
}

/** Why the harm limit alone would exclude a community. */
function harmText(isMet: boolean, { more }: MoreDecisions): string {
  if (!isMet) return "The observed harm is above its limit: more verdicts will not help.";
  if (more === null)
    return "The limit of harm is too close to the observed harm, or too small for its weights, to be settled by more verdicts.";
  return `The limit of harm alone asks for ${plural(more, "more verdict")} like these.`;
}

function adviseOnRates({ cohort, limits, state, passes, more, rules }: AdviceInput): Advice {
  if (passes) {
    const why =
      state === "earned_autonomy"
        ? "it passes the gate"
        : "drawn towards the fleet's, its rates keep both limits, which as observed they do not";
    return { action: "automate", text: `Automate: ${why}.`, rule_id: null };
  }
  if (state === "insufficient") {
    const missing = Math.max(1, limits.min_decisions) - cohort.n;
    if (more.more !== null && more.more > missing) return settle(more.more);
    const hopeless = cohort.n > 0 && more.more === null;
    return collect(
      missing,
      `to reach the minimum${hopeless ? "; with the observed rates it would not pass even so" : ""}`,
    );
  }
  if (state === "earned_autonomy" && !meetsHarm(cohort, limits)) {
    const why = "few enough decisions are indefensible, but those that are do more harm than the limit allows";
    return { action: "keep_reviewing", text: `Keep reviewing: ${why}.`, rule_id: null };
  }
  if (state === "earned_autonomy") {
    if (more.more !== null && more.more > 0) return settle(more.more);
    const why = more.reason ?? "another condition of the gate does not hold";
    return {
      action: "keep_reviewing",
      text: `Keep reviewing: the limits are met as observed, but ${why}.`,
      rule_id: null,
    };
  }
  return state === "policy_gaps" && !isMoreOpenThanWrong(cohort, limits)
    ? adviseOnGaps(cohort)
    : adviseOnAmbiguity(cohort, state === "policy_gaps" ? { ...limits, variable: "ai_pure" } : limits, rules);
}

/** Whether verdicts open both ways exceed their limit by more than indefensible ones exceed theirs. If so, fix the rules first. */
function isMoreOpenThanWrong({ n, indefensible, inverse_yes_pure: open }: GateCohort, { di, ai }: GateLimits): boolean {
  const tooOpen = open - ai * n;
  return tooOpen > 0 && tooOpen > indefensible - (1 - di) * n;
}

function collect(k: number, purpose: string): Advice {
  const text = `Collect ${plural(k, "more verdict")} ${purpose}.`;
  return { action: "collect", text, rule_id: null };
}

function settle(k: number): Advice {
  return collect(k, "to settle it, if the rates stay as observed");
}

function adviseOnGaps(cohort: GateCohort): Advice {
  const contradictions = cohort.inverse_yes - cohort.inverse_yes_pure;
  const of = `${contradictions} of ${cohort.indefensible} indefensible verdicts`;
  if (2 * contradictions >= cohort.indefensible) {
    const text = `Retrain or replace the decider: in ${of} the rules support another decision.`;
    return { action: "retrain", text, rule_id: null };
  }
  const text = `Write the missing rule: only in ${of} do the rules support another decision; the others follow from no rule.`;
  return { action: "write_rule", text, rule_id: null };
}

function adviseOnAmbiguity(cohort: GateCohort, limits: GateLimits, rules: AdviceInput["rules"]): Advice {
  const open = ambiguousCount(cohort, limits.variable);
  const are = limits.variable === "ai" ? "have a defensible alternative" : "are open both ways";
  const counted = rules?.map((rule) => ({
    ...rule,
    yes: limits.variable === "ai" ? rule.yes : (rule.open ?? rule.yes),
  }));
  const worst = counted?.sort(
    (first, second) => second.yes - first.yes || first.n - second.n || (first.rule_id < second.rule_id ? -1 : 1),
  )[0];
  const named = worst && worst.yes > 0 && worst.yes >= NAMED_RULE_SHARE * open;
  if (!named || !["platform", "community"].includes(worst.scope)) {
    const text = `Develop precedents: ${open} of ${cohort.n} verdicts ${are}${rules ? ", and no single rule accounts for them" : ""}.`;
    return { action: "develop_precedents", text, rule_id: null };
  }
  const rule = `${worst.rule_id} (${worst.title})`;
  const people = worst.open_labels && labelsAlike(worst.open_labels);
  if (people) {
    const text = `Check the auditor: under rule ${rule} it finds ${worst.yes} of ${worst.n} verdicts ambiguous, but people decided ${people.alike} of ${people.labels} of the open ones alike.`;
    return { action: "check_auditor", text, rule_id: worst.rule_id };
  }
  const alone = worst.yes - (worst.open ?? worst.yes);
  const share =
    worst.open === undefined
      ? `${worst.yes} of ${worst.n} verdicts under it ${are}`
      : `${worst.open} of ${worst.n} verdicts under it are open both ways${alone > 0 ? `, and in ${alone} only the opposite follows` : ""}`;
  return worst.scope === "platform"
    ? { action: "revise_platform_rule", text: `Revise platform rule ${rule}: ${share}.`, rule_id: worst.rule_id }
    : { action: "clarify_rule", text: `Clarify rule ${rule}: ${share}.`, rule_id: worst.rule_id };
}
