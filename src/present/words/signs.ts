import { CAUSE_NAMES } from "./cause-words.js";

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
  ambiguity_index: "AI",
  ambiguity_pure: "pure AI",
  AI_pure: "pure AI",
  ambiguity_community: "AI of community rules",
  ambiguity_platform: "AI of platform rules",
  two_layers: "layer 1 or 2",
  union: "any layer",
  ...CAUSE_NAMES,
};

/** The paper's sign of a score, signal or index, or its name in plain letters. */
export function sign(name: string): string {
  return Object.hasOwn(SIGNS, name) ? SIGNS[name]! : name.replaceAll("_", " ");
}
