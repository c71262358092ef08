import type { Estimate } from "../../core/estimate.js";
import { rate } from "./rate.js";
import { ALL_CELLS, cellMask, type Tally } from "./tally.js";

/** Target of the paper: AI ≤ 0.15. @see paper §3.1, eq. 2 */
export const AMBIGUITY_TARGET = 0.15;

export const INVERSE_YES = cellMask((cell) => cell.inverse);

/**
 * Share of decisions whose opposite could be derived too, by the auditor's inverse check.
 *
 * AI = #{ inverse_check = Yes } / N, N = verdicts.
 * Range 0 to 1; lower is better. Undefined when there is no verdict.
 * Differs from the paper: nothing. It mixes two things; see `pureAmbiguity` and `contradiction`, which add up to it.
 * @see paper §3.1, eq. 2
 */
export function ambiguityIndex(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, INVERSE_YES, { empty: "no verdicts", worstCase: true });
}
