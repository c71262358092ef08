import type { RootCause } from "../../measures/metrics/disagreements.js";
import type { Words } from "./vocabulary.js";

export const CAUSES: readonly RootCause[] = ["model_error", "policy_ambiguity", "implicit_norm"];

/** What each cause of a disagreement is in plain words, and what follows from it. */
export const CAUSE_WORDS: Readonly<Record<RootCause, Words & { remedy: string }>> = {
  model_error: {
    name: "Decider's error",
    meaning: "The rules do not support what the decider did.",
    remedy: "correct or retrain the decider",
  },
  policy_ambiguity: {
    name: "Ambiguous rules",
    meaning: "The rules support both the decision and its opposite: person and decider are both right.",
    remedy: "clarify the rules or develop precedents",
  },
  implicit_norm: {
    name: "Unwritten norm",
    meaning: "The rules support the decider's decision alone: the person applied a norm that is not written.",
    remedy: "write the norm down, or stop enforcing it",
  },
};

/** The same in the midst of a line; and what only the truth can name. */
export const CAUSE_NAMES: Readonly<Record<RootCause | "human_error" | "none", string>> = {
  model_error: "decider's error",
  policy_ambiguity: "ambiguous rules",
  implicit_norm: "unwritten norm",
  human_error: "person's error",
  none: "none",
};

/** How each cause shows in a verdict. */
export const CAUSE_SIGNS: Readonly<Record<RootCause, string>> = {
  model_error: "level 3",
  policy_ambiguity: "level 1 or 2, opposite derivable",
  implicit_norm: "level 1 or 2, opposite not derivable",
};

/** Names of scores, signals, indices, causes and layers as tables, titles and pictures print them. */
export const SIGNS: Readonly<Record<string, string>> = {
  pds: "S",
  pds_mean: "mean S",
  mean_pds: "mean S",
  p_defensible: "P(defensible)",
  inverse_yes_prob: "σ(ρ)",
  inverse_yes_prob_mean: "mean σ(ρ)",
  mean_inverse_yes_prob: "mean σ(ρ)",
  lambda_nats: "λ",
  lambda_nats_mean: "mean λ",
  h_weight_bits: "H[w]",
  h_weight_bits_mean: "mean H[w]",
  h_citation_bits: "H[κ]",
  h_citation_bits_mean: "mean H[κ]",
  sd_pds: "sd of S",
  sd_p_defensible: "sd of P(defensible)",
  dominant_share: "consistency",
  level_3_share: "share of level 3",
  p_calibrated: "calibrated p",
  p_level_3: "p(level 3)",
  output_confidence: "confidence in the level",
  decider_confidence: "the decider's confidence",
  defensibility_index: "DI",
  ambiguity_index: "ambiguity",
  ambiguity_pure: "pure ambiguity",
  AI_pure: "pure ambiguity",
  ambiguity_community: "ambiguity of community rules",
  ambiguity_platform: "ambiguity of platform rules",
  two_layers: "layer 1 or 2",
  union: "any layer",
  ...CAUSE_NAMES,
};

/** The paper's sign of a score, signal or index, or its name in plain letters. */
export function sign(name: string): string {
  return Object.hasOwn(SIGNS, name) ? SIGNS[name]! : name.replaceAll("_", " ");
}
