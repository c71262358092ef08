/** Names of scores and signals as tables and titles print them. */
const SIGNS: Readonly<Record<string, string>> = {
  pds: "S",
  pds_mean: "mean S",
  mean_pds: "mean S",
  p_defensible: "p_defensible",
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
  sd_p_defensible: "sd of p_defensible",
  dominant_share: "consistency",
  level_3_share: "share of level 3",
};

/** The paper's sign of a score or signal, or its name in plain letters. */
export function sign(name: string): string {
  return Object.hasOwn(SIGNS, name) ? SIGNS[name]! : name.replaceAll("_", " ");
}
