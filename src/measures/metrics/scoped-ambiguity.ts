import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { rate } from "./rate.js";
import { ALL_CELLS, cellMask, countIn, type Tally, type TallyScope } from "./tally.js";

const KNOWN = cellMask((cell) => cell.scope !== "unknown");

const IN_SCOPE = {
  platform: cellMask((cell) => cell.inverse && cell.scope === "platform"),
  community: cellMask((cell) => cell.inverse && cell.scope === "community"),
  mixed: cellMask((cell) => cell.inverse && cell.scope === "mixed"),
  // A citation that was not recorded, among others that were, is one that matched nothing.
  none: cellMask((cell) => cell.inverse && (cell.scope === "none" || cell.scope === "unknown")),
};

/**
 * The part of AI that falls under rules of one scope: which text to rewrite.
 *
 * AI_G = #{ inverse = Yes, cited rule in R_G } / N; AI_C with R_C or a precedent; `mixed` cites both; `none` matches no rule.
 * The four add up to AI. Range 0 to 1. Undefined when there is no verdict, or no audit says what it cited.
 * Differs from the paper: the paper names AI_G and AI_C without a rule of attribution. This one is observational: it says where the
 * ambiguous decisions cite, not what would become clear if that text changed.
 * @see paper §3.1
 */
export function scopedAmbiguity(tallies: readonly Tally[], scope: Exclude<TallyScope, "unknown">): Estimate {
  const known = tallies.reduce((sum, tally) => sum + countIn(tally, KNOWN), 0);
  const all = tallies.reduce((sum, tally) => sum + countIn(tally, ALL_CELLS), 0);
  if (all > 0 && known === 0) return undefinedEstimate("no audit says which rule it cites", all);
  return rate(tallies, ALL_CELLS, IN_SCOPE[scope], { empty: "no verdicts" });
}
