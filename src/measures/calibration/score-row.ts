import type { ScoreRow } from "./score-columns.js";

/** An audit's signals as a calibration looks at them; what an audit does not say is null. */
export function scoreRow(
  audit: { [name in Exclude<keyof ScoreRow, "positive">]?: ScoreRow[name] | undefined },
  positive: boolean,
): ScoreRow {
  return {
    level_probs: audit.level_probs ?? null,
    level_map: audit.level_map ?? null,
    lambda_nats: audit.lambda_nats ?? null,
    h_weight_bits: audit.h_weight_bits ?? null,
    h_citation_bits: audit.h_citation_bits ?? null,
    inverse_log_odds: audit.inverse_log_odds ?? null,
    inverse_yes_prob: audit.inverse_yes_prob ?? null,
    positive,
  };
}
