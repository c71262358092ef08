import type { ERASED, NO_RULES } from "../../core/names.js";
import type { Audit, CitationScope, Flag, SignalMode } from "../../core/records/audit.js";
import type { LEVEL3_REASONS, PRECEDENT_WEIGHTS } from "../../core/records/trace.js";
import type { Report } from "../../core/results/report.js";
import type { UnscoredCode } from "../../measures/signals/extract-sampled.js";
import type { Words } from "./word-table.js";
import { wordsOf } from "./word-table.js";

export type Outcome = Audit["outcome"];
type Level3Reason = (typeof LEVEL3_REASONS)[number];
type PrecedentWeight = (typeof PRECEDENT_WEIGHTS)[number];

export const OUTCOME_WORDS: Readonly<Record<Outcome, Words>> = {
  verdict: { name: "Verdict", meaning: "The audit gave a valid level and a valid inverse check; it counts in rates." },
  unscored: {
    name: "Not scored",
    meaning: "There is an answer, but not both a level and an inverse check; it counts only in worst-case bounds.",
  },
  error: { name: "Failed", meaning: "There is no answer; it counts only in worst-case bounds." },
};

/** What else could have been decided: of two actions the opposite, of more another one. */
export type OtherAction = "the opposite" | "another action";

export function otherAction({ several_actions: several }: Pick<Report, "several_actions">): OtherAction {
  return several ? "another action" : "the opposite";
}

/** "open both ways": level 1 or 2, and something else could have been decided too. */
export function openWords(other: OtherAction): string {
  return other === "the opposite" ? "open both ways" : "open to another action";
}

/** Whether the opposite decision could be derived too. */
export const INVERSE_WORDS: Readonly<Record<"yes" | "no", Words>> = {
  yes: { name: "Yes", meaning: "The opposite decision could be derived from the rules too." },
  no: { name: "No", meaning: "The opposite decision could not be derived from the rules." },
};

export const FLAG_WORDS: Readonly<Record<Flag, Words>> = {
  no_signal: {
    name: "No signal",
    meaning: "A verdict for which S could not be computed, because one of its parts has no probability.",
  },
  low_mass: {
    name: "Little probability on valid labels",
    meaning: "Less than half of the probability was on valid labels, in at least one of the three label fields.",
  },
  censored: {
    name: "Probability estimated",
    meaning: "A label was not among the listed candidates, so its probability is estimated.",
  },
  tie: { name: "Tie", meaning: "Two levels are equally probable; the more severe was taken as the likeliest." },
  uncalibrated: {
    name: "Uncalibrated S",
    meaning: "S uses weights that were not fitted for this auditor: equal ones, or a file's without provenance.",
  },
  foreign_calibration: {
    name: "Foreign calibration",
    meaning:
      "The calibrated probability comes from a calibration of another auditor, version, prompt, template or signal mode, applied by force.",
  },
  fallback_span: {
    name: "Citation found by search",
    meaning: "The citation was located by searching the answer's text, not as a field of it.",
  },
  injection_suspected: { name: "Injection suspected", meaning: "The content seems to address the auditor." },
  unknown_space: {
    name: "Temperature unclear",
    meaning: "It is not known whether the probabilities are those before or after temperature.",
  },
  cached: { name: "From the cache", meaning: "The answer came from a cache; the auditor was not asked again." },
  same_family: { name: "Same family", meaning: "Decider and auditor are models of one family." },
  no_rules: {
    name: "No rules",
    meaning:
      "No rule of the community or the platform was in force, so the decision was not audited; it is in no rate and no bound.",
  },
  no_community_rules: {
    name: "No community rules",
    meaning: "The community has no rules of its own; the platform's alone applied.",
  },
  precedents_cut: { name: "Precedents cut", meaning: "Not all precedents fitted into the prompt." },
  content_cut: { name: "Content cut", meaning: "Not all of the content fitted into the prompt." },
  language_not_in_precedents: {
    name: "Language without precedents",
    meaning: "The community has precedents, but none in the content's language.",
  },
  unseen_media: { name: "Unseen media", meaning: "The content has media that no auditor saw." },
  retroactive_rule: {
    name: "Later rule",
    meaning: "A rule set that was applied took effect after the decision was made.",
  },
};

/** Why there is no verdict. */
export const UNSCORED_WORDS: Readonly<Record<UnscoredCode | typeof NO_RULES | typeof ERASED, Words>> = {
  no_rules: { name: "No rules", meaning: "No rule was in force for this decision, so it was not audited." },
  erased: { name: "Erased", meaning: "The content was erased before it was audited." },
  refused: { name: "Refused", meaning: "The model refused to answer." },
  filtered: { name: "Filtered", meaning: "The provider's content filter stopped the answer." },
  empty: { name: "Empty", meaning: "The answer is empty." },
  too_long: { name: "Too long", meaning: "The answer, or one of its fields, is longer than what is read." },
  truncated: { name: "Cut off", meaning: "The answer ended before it was complete." },
  not_json: { name: "Not readable", meaning: "The answer is not in the form that was asked for." },
  no_level: { name: "No level", meaning: "The answer names no level." },
  bad_level: { name: "Unknown level", meaning: "The answer names a level other than 1, 2 or 3." },
  no_inverse: { name: "No inverse check", meaning: "The answer does not say whether the opposite could be derived." },
  not_probabilities: {
    name: "No probabilities",
    meaning: "The server's token probabilities are positive or add up to more than 1: they are other scores.",
  },
  bad_inverse: { name: "Unclear inverse check", meaning: "The inverse check is neither Yes nor No." },
};

/** Where a citation was found. */
export const CITATION_SCOPE_WORDS: Readonly<Record<CitationScope, Words>> = {
  platform: { name: "Platform rule", meaning: "It is in a rule of the platform." },
  community: { name: "Community rule", meaning: "It is in a rule of the community." },
  precedent: { name: "Precedent", meaning: "It is in a precedent." },
  mixed: { name: "Platform and community", meaning: "It is in rules of both." },
  none: { name: "Nowhere", meaning: "It is in no rule or precedent that applied." },
};

export const SIGNAL_WORDS: Readonly<Record<SignalMode, Words>> = {
  logprobs: { name: "Token probabilities", meaning: "Probabilities are those that the auditor gave its tokens." },
  sampling: { name: "Repeated answers", meaning: "Probabilities are frequencies over several answers." },
  none: { name: "No probabilities", meaning: "The auditor gives a verdict and no probabilities." },
};

/** Why an audit says that nothing supports the decision. */
export const LEVEL3_REASON_WORDS: Readonly<Record<Level3Reason, Words>> = {
  no_rule: { name: "No rule", meaning: "No rule speaks of it." },
  complies_with_cited_rule: {
    name: "Cited rule is kept",
    meaning: "The content keeps the rule that is cited against it.",
  },
  concept_absent: { name: "Not in the content", meaning: "What the rule speaks of does not occur in the content." },
};

/** How much weight an auditor says that it gave to precedents. */
export const WEIGHT_WORDS: Readonly<Record<PrecedentWeight, Words>> = {
  High: { name: "High", meaning: "By its own account, precedents settle the case." },
  Medium: { name: "Medium", meaning: "By its own account, precedents bear on the case." },
  Low: { name: "Low", meaning: "By its own account, precedents say little about the case." },
};

/** What a weight means where `shown` precedents were given; null: their number is not known. */
export function weightMeaning(weight: string, shown: number | null): string {
  if (shown === 0) return "No precedents were given, so this says nothing about them.";
  return wordsOf(WEIGHT_WORDS, weight).meaning;
}
