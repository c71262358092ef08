import type { Estimate } from "../../core/estimate.js";
import type { Level } from "../../core/records/level.js";
import { rate } from "./rate.js";
import { ALL_CELLS, cellMask, type Tally } from "./tally.js";

const AT_LEVEL = {
  1: cellMask((cell) => cell.level === 1),
  2: cellMask((cell) => cell.level === 2),
  3: cellMask((cell) => cell.level === 3),
};

/**
 * Share of verdicts at one defensibility level.
 *
 * #{ level = l } / N. Range 0 to 1. Undefined when there is no verdict. Differs from the paper: nothing.
 * @see paper §3.1
 */
export function levelShare(tallies: readonly Tally[], level: Level): Estimate {
  return rate(tallies, ALL_CELLS, AT_LEVEL[level], { empty: "no verdicts", worstCase: true });
}
