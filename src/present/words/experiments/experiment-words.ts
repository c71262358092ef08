import type { ChannelVerdict } from "../../../core/results/circularity.js";
import type { AblationClass } from "../../../core/results/scopes.js";
import type { DualClass } from "../../../measures/metrics/dual-audit.js";

/** What a property of a decision rests on, by ablation of the rules. */
export const ABLATION_WORDS: Record<AblationClass, string> = {
  platform: "the platform's rules alone (AI_G)",
  community: "the community's rules alone (AI_C)",
  either: "each alone as well",
  together: "neither alone, only together",
};

/** What the audits of a decision and of its opposite say together. */
export const DUAL_WORDS: Record<DualClass, string> = {
  ambiguous: "ambiguous: both can be derived",
  determinate: "determinate: only the decision",
  model_error: "error: only the opposite",
  void: "void: neither",
};

export const CHANNEL_VERDICT_WORDS: Record<ChannelVerdict, string> = {
  supports: "supports",
  does_not_support: "does not support",
  cannot_tell: "cannot tell",
  not_available: "not available",
};

/** What is correlated with people's ratings. */
export const RATED_SIGNALS: Record<string, string> = {
  pds: "S (PDS) with the mean rating",
  p_defensible: "P(defensible) with the mean rating",
  level: "the auditor's level with the mean rating",
  inverse_yes_prob: "σ(ρ) with the share of raters who say the opposite can be derived",
};

/** Who else says which decisions are indefensible. */
export const REFERENCE_WORDS: Record<string, string> = {
  truth: "the planted truth",
  gold: "gold annotations",
  human: "people's labels",
  auditor: "another auditor's labels",
};
