import type { GateMode, GateState, GateVariable } from "../../core/gate.js";
import type { Level } from "../../core/records/level.js";
import type { RULE_KINDS, Tier } from "../../core/records/rule-set.js";
import type { BindingConstraint } from "../../measures/gate/holdout-certificate.js";
import type { LookReason } from "../../measures/report-page.js";
import type { Words } from "./word-table.js";

export type RuleKind = (typeof RULE_KINDS)[number];

/** States of a community by its observed rates and the gate's limits. */
export const STATE_WORDS: Readonly<Record<GateState, Words>> = {
  earned_autonomy: {
    name: "Earned autonomy",
    meaning: "Both limits are met: decisions follow from the rules, and the rules seldom leave them open.",
  },
  policy_gaps: {
    name: "Policy gaps",
    meaning:
      "Too many decisions do not follow from the rules: the decider errs, or a rule that it seems to follow is not written.",
  },
  normative_complexity: {
    name: "Normative complexity",
    meaning: "Decisions follow from the rules, but for too many of them the opposite would follow just as well.",
  },
  insufficient: {
    name: "Too few decisions",
    meaning: "Fewer verdicts than the gate's minimum, so nothing is said about the community.",
  },
};

export const LEVEL_WORDS: Readonly<Record<Level, Words>> = {
  1: { name: "Robustly defensible", meaning: "An explicit rule directly and plainly supports the decision." },
  2: {
    name: "Plausibly defensible",
    meaning: "The rules are open about this case and can reasonably be read to support the decision.",
  },
  3: { name: "Indefensible", meaning: "No rule supports the decision." },
};

/** Why a decision is worth a look, in the order of LOOK_REASONS. */
export const REASON_WORDS: Readonly<Record<LookReason, Words>> = {
  injection_suspected: {
    name: "Content addresses the auditor",
    meaning: "The content seems to give orders to whoever audits it, so the audit may have been steered.",
  },
  disagreement_indefensible: {
    name: "Overruled by moderator, no rule supports it",
    meaning: "A person decided otherwise, and the rules do not support this decision.",
  },
  agreed_but_indefensible: {
    name: "Moderator agreed, but no rule supports it",
    meaning: "A person decided the same, but the rules do not support it: a norm that is followed and not written.",
  },
  indefensible: { name: "Indefensible", meaning: "The rules do not support this decision." },
  not_scored: {
    name: "Not scored",
    meaning: "The audit gave no verdict, so it is unknown whether the rules support it.",
  },
  ungrounded_citation: {
    name: "Citation not found",
    meaning: "What the audit cites is in no rule or precedent that applied.",
  },
  disagreement_defensible: {
    name: "Overruled by moderator, yet defensible",
    meaning: "A person decided otherwise, and this decision still follows from the rules.",
  },
  open_both_ways: { name: "Open both ways", meaning: "The rules support this decision and its opposite." },
  unsure: { name: "Auditor unsure", meaning: "The auditor was close to another level." },
  settled: { name: "Settled", meaning: "The decision follows from the rules, and its opposite does not." },
};

export const MODE_WORDS: Readonly<Record<GateMode, Words>> = {
  paper: {
    name: "Raw (paper)",
    meaning: "Observed rates as they are. Small samples pass or fail by chance; nothing is promised.",
  },
  shrunk: {
    name: "Cautious (shrunk)",
    meaning: "Rates of small communities are pulled to the average, so that few pass by luck.",
  },
  certified: {
    name: "Proven (certified)",
    meaning: "A community passes only when its verdicts prove that it keeps both limits.",
  },
};

export const VARIABLE_WORDS: Readonly<Record<GateVariable, Words>> = {
  ai: { name: "Ambiguity", meaning: "Every verdict whose opposite could be derived counts as ambiguous." },
  ai_pure: {
    name: "Pure ambiguity",
    meaning: "Only verdicts that are defensible, and whose opposite is too, count as ambiguous.",
  },
};

/** Which limit keeps a community out. */
export const BINDING_WORDS: Readonly<Record<BindingConstraint, Words>> = {
  di: { name: "Defensibility", meaning: "Its Defensibility Index is below the limit; its ambiguity is not above." },
  ai: { name: "Ambiguity", meaning: "Its ambiguity is above the limit; its Defensibility Index is not below." },
  both: {
    name: "Both limits",
    meaning: "Its Defensibility Index is below the limit, and its ambiguity is above.",
  },
};

export const RULE_KIND_WORDS: Readonly<Record<RuleKind, Words>> = {
  prohibition: { name: "Prohibition", meaning: "Forbids something that can be recognised." },
  requirement: { name: "Requirement", meaning: "Demands something that can be recognised." },
  permission: { name: "Permission", meaning: "Expressly allows something." },
  procedure: { name: "Procedure", meaning: "Says how to proceed, or what happens to content besides the two actions." },
  subjective_content: {
    name: "Subjective content",
    meaning: "Concerns a quality of content on which judgement is needed.",
  },
  vague_directive: { name: "Vague directive", meaning: "States a wish or an attitude, without a test for it." },
  discretion: { name: "Discretion", meaning: "Leaves the decision to a person's judgement." },
};

export const TIER_WORDS: Readonly<Record<Tier, Words>> = {
  title: { name: "Title", meaning: "The auditor reads the rule's title alone." },
  sidebar: { name: "Description", meaning: "The auditor reads title and description." },
  wiki: { name: "Detail", meaning: "The auditor reads title, description and detail." },
};
