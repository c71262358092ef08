import type { Estimate } from "../../core/estimate.js";
import { rate } from "./rate.js";
import { ALL_CELLS, cellMask, type Tally } from "./tally.js";

/** Target of the paper: DI ≥ 0.90. @see paper §3.1, eq. 1 */
export const DEFENSIBILITY_TARGET = 0.9;

export const DEFENSIBLE = cellMask((cell) => cell.level !== 3);

/**
 * Share of decisions that can be derived from the rules: how far a decider keeps to what is written.
 *
 * DI = #{ level ∈ {1, 2} } / N, N = verdicts.
 * Range 0 to 1; higher is better. Undefined when there is no verdict.
 * Differs from the paper: nothing; the interval, the clustering and the bounds for rows without a verdict are added.
 * @see paper §3.1, eq. 1
 */
export function defensibilityIndex(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, DEFENSIBLE, { empty: "no verdicts", worstCase: true });
}
