import type { Estimate } from "../../core/estimate.js";
import { rate } from "./rate.js";
import { ALL_CELLS, cellMask, type Tally } from "./tally.js";

const BOTH_DEFENSIBLE = cellMask((cell) => cell.inverse && cell.level !== 3);

/**
 * Share of decisions that are defensible while their opposite is too: the rules really leave the case open.
 *
 * AI_pure = #{ level ∈ {1, 2} and inverse = Yes } / N.
 * Range 0 to 1; lower means clearer rules. Undefined when there is no verdict.
 * Differs from the paper: the paper has no such split. Its AI also counts indefensible decisions, whose opposite is usually the only
 * right one and no sign of ambiguity.
 * @see paper §3.1
 */
export function pureAmbiguity(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, BOTH_DEFENSIBLE, { empty: "no verdicts", worstCase: true });
}
